import type { ServerResponse } from "node:http";
import { partsOf, type Answer } from "./answers.js";

/** A text above this length is converted to bytes before it is sent. */
const longText = 2 ** 20;

/** Headers in the form that Node writes fastest: names and values alternate. */
export type HeaderList = readonly string[];

/** Converts headers to a {@link HeaderList}. */
export function headerList(headers: Readonly<Record<string, string>>): HeaderList {
  return Object.entries(headers).flat();
}

/**
 * Sends an answer, or the last part of an answer whose headers were sent already.
 * @param head The headers, without the length.
 * @param begin The start of the body; bytes are sent unchanged.
 * @param end The end of the body.
 */
export function sendAnswer(
  response: ServerResponse,
  head: HeaderList,
  begin: Answer,
  end: string,
): void {
  const hasBegun = response.headersSent;
  if (typeof begin === "string") {
    const body = begin + end;
    const length = Buffer.byteLength(body);
    sendHead(response, head, length);
    // Unlike strings, bytes that wait for a slow client are no load for the garbage collector. And where an answer has
    // begun, Node would keep a string together with memory of three times its length.
    if (length > longText) return void response.end(Buffer.from(body));
    if (hasBegun) return void response.end(body);
    // ASCII has the same bytes in Latin-1, which is faster to write than UTF-8.
    response.write(body, length === body.length ? "latin1" : "utf8");
    // If it ended in this turn, Node would collect head, body and an empty chunk in a slower write.
    process.nextTick(endOf, response);
    return;
  }
  const chunks = partsOf(begin);
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, Buffer.byteLength(end));
  sendHead(response, head, length);
  // Head, bytes and end are one write. Where an answer has begun, it has no length, and Node would send the mark of its
  // end before what is corked.
  if (!hasBegun) response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.end(end);
}

function endOf(response: ServerResponse): void {
  response.end();
}

function sendHead(response: ServerResponse, head: HeaderList, length: number): void {
  if (response.headersSent) return;
  // With a length, Node needs no chunked encoding.
  response.writeHead(200, [...head, "content-length", length]);
}
