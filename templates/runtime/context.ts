/** The protocol era of a request: `modern` is 2026-07-28, `legacy` everything before it. */
export type Era = "modern" | "legacy";

/** Data logged beside a message; it must be JSON. */
export type LogData = Readonly<Record<string, unknown>>;

/** Writes to stderr as one JSON line, and to the client where it asked for log messages of that level. */
export interface Logger {
  debug(message: string, data?: LogData): void;
  info(message: string, data?: LogData): void;
  warning(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
}

/** What every handler gets as its second argument. */
export interface HandlerContext<Env, Services> {
  /** Aborted when the caller cancels, the time limit is reached, or the server stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Reports progress where the caller asked for it; `done` must grow from call to call. */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /** The environment variables that the manifest declares, checked and converted at start. */
  readonly env: Env;
  /** What `createServices` in `src/context.ts` returned. */
  readonly services: Services;
  /** The JSON-RPC id of the request; log lines carry it too. */
  readonly requestId: string | number;
  readonly era: Era;
}
