import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isEventStream, refusalJson, wholeBytes, withLongTexts } from "./answer-bytes.js";
import { endWhenReceived, endWithConnection } from "./linger.js";
import { unforeseenError } from "../engine/errors.js";
import { answerMemoryBytes } from "../engine/limits.js";
import type { LongTexts } from "../engine/long-texts.js";
import type { Logger } from "../observe/log.js";
import type { WholeAnswer } from "./page-answer.js";
import { begunForm } from "./slow-answers.js";
import type { HttpError } from "./transport.js";

/**
 * Most refusals for too many requests on one connection. The last one closes the connection, since its client ignores
 * them.
 */
const maxRefusals = 200;

/**
 * Reads the whole body of a request; undefined if it is longer than `maxBytes`. The rest is then not
 * read.
 * @throws Error if it does not arrive completely
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      request.off("data", take).off("end", finish);
      chunks.length = 0;
      resolve(undefined);
    };
    const finish = (): void => resolve(Buffer.concat(chunks, length));
    request.on("data", take).once("end", finish);
    request.once("error", reject);
    request.once("close", () => reject(new Error("the body did not arrive whole")));
  });
}

/** A response of the SDK, with the long texts for the marks in it. */
interface MarkedResponse {
  readonly answer: Response;
  readonly longTexts: LongTexts;
}

/** Writes a response; a stream is written as its parts arrive. @param written Called after each write. */
export async function sendFetchResponse(
  { answer: response, longTexts }: MarkedResponse,
  outgoing: ServerResponse,
  extraHeaders: Readonly<Record<string, string>>,
  written: () => void,
): Promise<void> {
  const headers = { ...Object.fromEntries(response.headers), ...extraHeaders };
  if (!isEventStream(response)) {
    writeWhole(outgoing, await wholeBytes(response, longTexts), response.status, headers);
    return written();
  }
  // After a notification of a handler on the fast path, or a moment of a slow call, the headers have been sent.
  if (!outgoing.headersSent) {
    outgoing.writeHead(response.status, headers);
    outgoing.flushHeaders();
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  // Ends the source of events when the client disconnects, also while there is nothing to send.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (outgoing.destroyed) return cancel();
  outgoing.on("close", cancel);
  for (;;) {
    const { done, value } = await reader.read();
    // The response may have been ended before its source was.
    if (done || outgoing.writableEnded) break;
    for (const part of withLongTexts(value, longTexts)) outgoing.write(part);
    // A stream may have no end. It alone may not leave more unread than all clients of its address.
    if (outgoing.writableLength > answerMemoryBytes.ofAddress) outgoing.destroy();
    written();
  }
  outgoing.end();
}

/** Sends an answer that is whole; of an answer to HEAD, only the headers. */
export function sendWhole(
  { method }: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: WholeAnswer,
): void {
  outgoing.writeHead(status, headers);
  outgoing.end(method === "HEAD" ? undefined : body);
}

/** Writes a body that has arrived whole, as bytes: of a string, Node.js would make copies. */
function writeWhole(
  outgoing: ServerResponse,
  body: readonly Uint8Array[],
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  if (!outgoing.headersSent) {
    const length = body.reduce((sum, part) => sum + part.length, 0);
    outgoing.writeHead(status, { ...headers, ...(status !== 204 && { "content-length": length }) });
    // Head and body are one write. What has begun has no length, and Node.js would send the mark of its end first.
    if (body.length > 1) outgoing.cork();
  }
  const isEvent = begunForm(outgoing) === "events";
  const parts = isEvent ? ["event: message\ndata: ", ...body, "\n\n"] : [...body];
  const last = parts.pop();
  for (const part of parts) outgoing.write(part);
  outgoing.end(last);
}

/**
 * Ends an exchange that failed unforeseen: logs why, and answers with an error that refers to the log entry. If
 * the answer has begun, the connection is closed instead.
 * @param refuse Sends the error.
 */
export function failExchange(
  response: ServerResponse,
  error: unknown,
  log: Logger,
  refuse: (failure: HttpError) => void,
): void {
  const { code, message } = unforeseenError(error, log, "request failed");
  if (response.headersSent) response.destroy();
  else refuse({ status: 500, code, message });
}

/**
 * Answers with an error, even if the request has not arrived completely. @param bodyBytes Longest body of
 * other requests.
 */
export function sendError(outgoing: ServerResponse, error: HttpError, bodyBytes: number): void {
  const { status, headers } = error;
  const isLast = status === 429 && !mayAnswerMore(outgoing.req.socket);
  const body = refusalJson(error);
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers,
    ...(isLast && { connection: "close" }),
  });
  if (isLast) return endWithConnection(outgoing, body);
  outgoing.write(body);
  endWhenReceived(outgoing, bodyBytes);
}

const refusals = new WeakMap<Socket, number>();

/** Counts a refusal for too many requests. @returns whether there may be another on the same connection */
function mayAnswerMore(socket: Socket): boolean {
  const count = (refusals.get(socket) ?? 0) + 1;
  refusals.set(socket, count);
  return count < maxRefusals;
}
