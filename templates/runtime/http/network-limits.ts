/** What clients may take of a server over the network. */
interface NetworkLimits {
  /** Most requests a second from one client over the network, with bursts of one second's worth. */
  readonly ratePerSecond: number;
  /** Most HTTP sessions at a time. */
  readonly sessions: number;
  /** Time that a session lives on without a request or an open stream, in milliseconds. */
  readonly sessionIdleMs: number;
  /** Most open connections of a listener. */
  readonly connections: number;
  /** Time that a client has to send the headers of a request, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Time that it has after that to send the body, in milliseconds. */
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
