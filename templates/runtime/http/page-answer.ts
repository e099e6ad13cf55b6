import type { Authentication } from "../authentication/authentication.js";
import type { Awaitable } from "../engine/awaitable.js";
import type { RequestHead } from "./request-head.js";
import type { HttpError } from "./transport.js";

/** An answer that is whole before anything of it is sent. */
export interface WholeAnswer {
  readonly status: number;
  /** Its headers, with `content-length` where it has a body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** The refusal of a request, with its sender if that is known. */
export interface RefusedAnswer {
  readonly refusal: HttpError;
  readonly caller?: Authentication | undefined;
}

/** What answers a request that needs neither the engine nor the SDK. */
export type PageAnswer = WholeAnswer | RefusedAnswer;

/** Answers a request of one path from its head, whatever runtime it came from. */
export type PlainPage = (request: RequestHead) => Awaitable<PageAnswer>;

/** The methods of a page that is only read. */
export const READ_METHODS: readonly string[] = ["GET", "HEAD"];

/** Whether a request only reads. */
export function isRead({ method }: RequestHead): boolean {
  return method === "GET" || method === "HEAD";
}

/** The refusal of a request with another method than these. */
export function refusedMethod(methods: readonly string[]): PageAnswer {
  const headers = { allow: methods.join(", ") };
  return { refusal: { status: 405, message: "Method not allowed", headers } };
}

/** A page of text that must not be cached. */
export function pageAnswer(status: number, type: string, body: string): WholeAnswer {
  const headers = {
    "content-type": type,
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
  };
  return { status, headers, body };
}

/** A JSON object whose `status` is the problem, or `ok`. */
export function statusAnswer(problem: string | undefined): WholeAnswer {
  const body = JSON.stringify({ status: problem ?? "ok" });
  return pageAnswer(problem === undefined ? 200 : 503, "application/json", body);
}
