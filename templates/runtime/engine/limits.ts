/** Limits of requests. Features that only some projects have add their own. Lengths are in UTF-16 code units. */
export interface Limits {
  /** Longest message from a client, in bytes. */
  readonly bodyBytes: number;
  /** Deepest nesting of a tool call's arguments. */
  readonly depth: number;
  /** Most array items and object members in a tool call's arguments, over all levels. */
  readonly elements: number;
  /** Longest result as JSON. */
  readonly resultLength: number;
  /** Time limit of a handler, in milliseconds. */
  readonly timeoutMs: number;
  /** Most handlers that run at the same time. */
  readonly concurrency: number;
  /** Most open subscriptions, and most URIs that all older clients together may watch. */
  readonly subscriptions: number;
}

export const defaultLimits: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  depth: 64,
  elements: 50_000,
  resultLength: 32 * 1024 * 1024,
  timeoutMs: 30_000,
  concurrency: 1_000,
  subscriptions: 1_024,
};

/** The limits that a manifest sets. */
export type SetLimits = Partial<Limits> & Readonly<Record<string, number>>;
