import { printable } from "../engine/printable.js";
import { isLoopback } from "./guards.js";
import type { RequestHead } from "./request-head.js";
import type { Refusal } from "./transport.js";

/** Longest part of a refused name that is repeated, in characters. */
const maxLength = 128;

/** The refused names, by the header or request that has them: why, and the setting that would allow them. */
const refusals = {
  Host: { reason: "Host not allowed", header: "host", setting: "allowedHosts" },
  Origin: { reason: "Origin not allowed", header: "origin", setting: "allowedOrigins" },
  Preflight: { reason: "No CORS for this origin", header: "origin", setting: "allowedOrigins" },
} as const;

/**
 * The refusal of a request for a name in its headers. The log says what arrived and which setting would allow it; callers on
 * the same machine, who may be setting the server or its proxy up, learn it from the answer, too.
 */
export function notAllowed(request: RequestHead, what: keyof typeof refusals): Refusal {
  const { reason, header, setting } = refusals[what];
  const received = printable(request.headers[header] ?? "", maxLength);
  const isNear = isLoopback((request.socket.remoteAddress ?? "").replace(/^::ffff:/, ""));
  const name = received === "" ? "none arrived" : `"${received}" arrived`;
  // A page from a file or of a sandbox has no origin, and shares that with all others.
  const isOfNobody = header === "origin" && received === "null";
  const advice = isOfNobody
    ? "No setting allows pages without an origin"
    : `${setting} in the manifest allows more`;
  const message = isNear ? `${reason}: ${name}. ${advice}` : reason;
  return {
    status: 403,
    message,
    cause: { reason, received, ...(!isOfNobody && { setting }) },
  };
}

/** Whether a browser asks whether a page may send a request. */
export function isPreflight({ method, headers }: RequestHead): boolean {
  return (
    method === "OPTIONS" &&
    headers.origin !== undefined &&
    headers["access-control-request-method"] !== undefined
  );
}
