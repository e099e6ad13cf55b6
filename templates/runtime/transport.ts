import type { RunningServer } from "./create-server.js";
import type { HttpDefinition } from "./definition.js";

/** How long running calls may take to finish when the server stops, in milliseconds. */
export const drainMs = 10_000;

/** A transport that serves until it is closed. */
export interface RunningTransport {
  /** Takes no new work, lets what runs finish within {@link drainMs}, then closes. */
  close(): Promise<void>;
}

export interface RunningHttp extends RunningTransport {
  /** Where clients connect: `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
}

/** `serveHttp` of `http.ts`, which only projects with an HTTP transport have. */
export type ServeHttp = (server: RunningServer, http: HttpDefinition) => Promise<RunningHttp>;
