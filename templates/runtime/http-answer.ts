import type { ServerResponse } from "node:http";

/** Headers as Node writes them soonest: names and values by turns. */
export type HeaderList = readonly string[];

/** Headers as such a list. */
export function headerList(headers: Readonly<Record<string, string>>): HeaderList {
  return Object.entries(headers).flat();
}

/**
 * Sends an answer, or the end of one whose head has gone out.
 * @param head What its head has beside the length.
 * @param begin What it begins with; bytes go out as they are.
 * @param end What it ends with.
 */
export function sendAnswer(
  response: ServerResponse,
  head: HeaderList,
  begin: string | Buffer,
  end: string,
): void {
  if (typeof begin === "string") {
    const body = begin + end;
    sendHead(response, head, Buffer.byteLength(body));
    response.end(body);
    return;
  }
  sendHead(response, head, begin.length + Buffer.byteLength(end));
  // Head, bytes and end are one write.
  response.cork();
  response.write(begin);
  response.end(end);
}

function sendHead(response: ServerResponse, head: HeaderList, length: number): void {
  if (response.headersSent) return;
  // A length that is known spares framing.
  response.writeHead(200, [...head, "content-length", length]);
}
