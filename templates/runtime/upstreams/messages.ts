import type { Acting } from "../context/acting.js";
import type { ToolError } from "../engine/errors.js";

/** A request with all of its headers. */
export interface OutgoingRequest {
  /** The HTTP method, in capitals. */
  readonly method: string;
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** An answer whose body has been read. */
export interface IncomingAnswer {
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isTruncated: boolean;
  /** Why the rest of the body could not be read, for the caller; absent if it was read, or is not wanted. */
  readonly breakage?: ToolError | undefined;
  /** Whether it was cut although its request did not allow that: only what models read may show it. */
  readonly isTooLong?: boolean;
  /** Whether the request may have changed something, so that it should not be repeated. */
  readonly isUnsafe?: boolean;
  /** Whether the request was HEAD; the answer then has no body, even if its headers describe one. */
  readonly isHead?: boolean;
}

/** Sends a request to the upstream with this name as a span of OpenTelemetry, which names in whose name it is asked. */
export type TraceRequest = (
  name: string,
  request: OutgoingRequest,
  send: (request: OutgoingRequest) => Promise<IncomingAnswer>,
  acting?: Acting,
) => Promise<IncomingAnswer>;

/** The statuses of redirects. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
