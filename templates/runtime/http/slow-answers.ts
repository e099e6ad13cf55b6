import type { ServerResponse } from "node:http";
import type { AnswerForm } from "./accept.js";

/** A call that runs longer than this is slow, in milliseconds. */
export const momentMs = 250;

/** Time between two signs of life of a slow call, in milliseconds. The SDK's streams have the same. */
export const keepAliveMs = 15_000;

/** The headers of a stream of events. */
export const eventStreamHeaders = {
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
};

/** The headers of an answer that begins before its call ends. */
export const headersOf: Readonly<Record<AnswerForm, Readonly<Record<string, string>>>> = {
  events: eventStreamHeaders,
  json: { "content-type": "application/json", "x-accel-buffering": "no" },
};

/** What says that an answer is still to come: a comment, or white space before the JSON value. */
export const signsOfLife: Readonly<Record<AnswerForm, string>> = {
  events: ": keepalive\n\n",
  json: "\n",
};

const begunForms = new WeakMap<ServerResponse, AnswerForm>();

/** The form in which the answer to a slow call has begun; undefined if it has not. */
export function begunForm(response: ServerResponse): AnswerForm | undefined {
  return begunForms.get(response);
}

/**
 * Keeps the exchange of a running call alive, since proxies and clients end exchanges that are silent: sends
 * the headers if the call is slow, and then a sign of life from time to time.
 * @param headers Further headers of the answer.
 * @returns a function to call when the answer is there
 */
export function keepAlive(
  response: ServerResponse,
  form: AnswerForm,
  headers: Readonly<Record<string, string>> = {},
): () => void {
  const begin = (): void => {
    if (isOver(response)) return;
    // A notification of the handler may have sent the headers.
    if (!response.headersSent) {
      begunForms.set(response, form);
      response.writeHead(200, { ...headersOf[form], ...headers }).flushHeaders();
    }
    timer = setTimeout(giveSign, keepAliveMs).unref();
  };
  const giveSign = (): void => {
    if (isOver(response)) return;
    response.write(signsOfLife[form]);
    timer.refresh();
  };
  let timer = setTimeout(begin, momentMs).unref();
  return () => clearTimeout(timer);
}

/** Whether nothing can be sent any more. */
function isOver({ writableEnded, destroyed }: ServerResponse): boolean {
  return writableEnded || destroyed;
}
