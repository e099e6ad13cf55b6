import type { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

/** The part of undici's requests that the runtime sends. */
export interface AgentRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly signal: EventEmitter;
}

/** The part of undici's answers that the runtime reads. */
export interface AgentAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/**
 * Sends requests to an upstream, as a `Dispatcher` of undici does. Types that all projects read do not name undici, which only
 * projects with upstreams have.
 */
export interface UpstreamAgent {
  request(request: AgentRequest): Promise<AgentAnswer>;
}
