/** Limits for clients over the network. */
interface NetworkLimits {
  /** Most requests of one client in a second. A burst may have as many requests at once. */
  readonly ratePerSecond: number;
  /** Most HTTP sessions at a time. */
  readonly sessions: number;
  /** Time after which a session without requests and open streams ends, in milliseconds. */
  readonly sessionIdleMs: number;
  /** Most open connections of a listener. */
  readonly connections: number;
  /** Time limit for sending the headers of a request, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Time limit for sending the body after the headers, in milliseconds. */
  readonly bodyTimeoutMs: number;
}

export const networkLimits: NetworkLimits = {
  ratePerSecond: 1_000,
  sessions: 1_000,
  sessionIdleMs: 30 * 60_000,
  connections: 1_024,
  headersTimeoutMs: 8_000,
  bodyTimeoutMs: 17_000,
};
