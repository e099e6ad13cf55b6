import type { ServerResponse } from "node:http";

/** Length from which on a text is sent as bytes of its own. */
const longText = 2 ** 20;

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
    const length = Buffer.byteLength(body);
    if (response.headersSent) return void response.end(body);
    sendHead(response, head, length);
    // What may wait to be read is no burden on the garbage collector as bytes.
    if (length > longText) return void response.end(Buffer.from(body));
    // What is ASCII has the same bytes in Latin-1, which takes no encoding.
    response.write(body, length === body.length ? "latin1" : "utf8");
    // Ended at once, head and body would be gathered with an empty last piece, which is a dearer kind of write.
    process.nextTick(endOf, response);
    return;
  }
  sendHead(response, head, begin.length + Buffer.byteLength(end));
  // Head, bytes and end are one write.
  response.cork();
  response.write(begin);
  response.end(end);
}

function endOf(response: ServerResponse): void {
  response.end();
}

function sendHead(response: ServerResponse, head: HeaderList, length: number): void {
  if (response.headersSent) return;
  // A length that is known spares framing.
  response.writeHead(200, [...head, "content-length", length]);
}
