/** What a request, or all of them together, may cost. Lengths are in UTF-16 code units unless the name says bytes. */
export interface Limits {
  /** Longest message from a client, in bytes. */
  readonly bodyBytes: number;
  /** Deepest nesting of a tool call's arguments. */
  readonly depth: number;
  /** Most array items and object members in a tool call's arguments, all levels together. */
  readonly elements: number;
  /** Longest resource URI. */
  readonly uriLength: number;
  /** Longest result, as JSON. */
  readonly resultLength: number;
  /** Largest file that a resource may read, in bytes. */
  readonly fileBytes: number;
  /** Time that a handler has, in milliseconds. */
  readonly timeoutMs: number;
  /** Most handlers that run at the same time. */
  readonly concurrency: number;
  /** Most requests a second from one client over the network, with bursts of one second's worth. */
  readonly ratePerSecond: number;
  /** Most HTTP sessions at a time. */
  readonly sessions: number;
  /** Time that a session lives on without a request or an open stream, in milliseconds. */
  readonly sessionIdleMs: number;
  /** Most open subscriptions, and most URIs that all older clients together may watch. */
  readonly subscriptions: number;
  /** Most open connections of a listener. */
  readonly connections: number;
  /** Time that a client has to send the headers of a request, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Time that it has after that to send the body, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  depth: 64,
  elements: 50_000,
  uriLength: 2_048,
  resultLength: 32 * 1024 * 1024,
  fileBytes: 16 * 1024 * 1024,
  timeoutMs: 30_000,
  concurrency: 1_000,
  ratePerSecond: 1_000,
  sessions: 1_000,
  sessionIdleMs: 30 * 60_000,
  subscriptions: 1_024,
  connections: 1_024,
  headersTimeoutMs: 8_000,
  bodyTimeoutMs: 17_000,
};
