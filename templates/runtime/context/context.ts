import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { Cancellation, StopSignal } from "../engine/cancellation.js";
import { loggableFields, loggerOf, type Logger, type LogLevel } from "../observe/log.js";

/** The protocol era of a request: `modern` is 2026-07-28, `legacy` everything before it. */
export type Era = "modern" | "legacy";

/** What every handler gets as its second argument; features that only some projects have add members. */
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

/** A context with its project's types erased: one runtime serves every project. */
export type AnyContext = HandlerContext<never, never>;

export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The sender of one request. */
export interface Caller {
  readonly requestId: string | number;
  readonly era: Era;
  /** Aborted when the caller cancels the request or disconnects. */
  readonly signal: StopSignal;
  /** Sends a log message to the client, if it wants messages of this level. */
  sendLog(level: LogLevel, data: unknown): Promise<void>;
  /** Absent where the caller did not ask for progress. */
  readonly sendProgress?: ((report: ProgressReport) => Promise<void>) | undefined;
  /** The client's capabilities; undefined where the server cannot ask the client anything. */
  clientCapabilities(): ClientCapabilities | undefined;
  /** The client's answers to questions that an earlier run of this request asked. */
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  /** The state that the server sent with the questions, as the client returned it. */
  readonly requestState?: unknown;
  /** The caller's network address, where something records it. */
  readonly address?: string | undefined;
}

/** What a server has for all its handlers. */
export interface HandlerResources {
  readonly env: unknown;
  readonly services: unknown;
  readonly log: Logger;
}

/** Gives a new context the members that a feature adds. */
export type ContextExtension = (
  context: object,
  caller: Caller,
  shared: HandlerResources,
  call: Pick<Cancellation, "signal" | "reason">,
) => void;

const extensions: ContextExtension[] = [];

/** Extends every context that is made from now on. */
export function extendContexts(extension: ContextExtension): void {
  extensions.push(extension);
}

/** A handler's context. After `end`, it sends the caller nothing more. */
export interface OpenContext {
  readonly context: AnyContext;
  end(): void;
}

/** Makes the context of one call. `call` says when the call is cancelled, also by its time limit. */
export function openContext(
  caller: Caller,
  call: Pick<Cancellation, "signal" | "reason">,
  shared: HandlerResources,
): OpenContext {
  let open = true;
  const context = new CallContext(caller, call, shared, () => open && call.reason === undefined);
  for (const extend of extensions) extend(context, caller, shared, call);
  return {
    context: context as unknown as AnyContext,
    end: () => {
      open = false;
    },
  };
}

class CallContext {
  readonly log: Logger;
  readonly progress: AnyContext["progress"];
  readonly env: unknown;
  readonly services: unknown;
  readonly requestId: string | number;
  readonly era: Era;
  readonly #call: Pick<Cancellation, "signal" | "reason">;

  /*
   * The signal is made only when it is asked for. It is a property of each context itself, since a
   * context may be copied, but all share its code: a getter of their own would cost more than most
   * calls.
   */
  static readonly #signal: PropertyDescriptor = {
    enumerable: true,
    get(this: CallContext) {
      return this.#call.signal;
    },
  };

  constructor(
    caller: Caller,
    call: Pick<Cancellation, "signal" | "reason">,
    { env, services, log }: HandlerResources,
    isOpen: () => boolean,
  ) {
    const { requestId, era } = caller;
    this.log = callLog(caller, log, isOpen);
    this.progress = progressReporter(caller, isOpen);
    this.env = env;
    this.services = services;
    this.requestId = requestId;
    this.era = era;
    this.#call = call;
    Object.defineProperty(this, "signal", CallContext.#signal);
  }
}

function callLog(caller: Caller, log: Logger, isOpen: () => boolean): Logger {
  const { requestId } = caller;
  return loggerOf((level) => (message, data) => {
    log[level](message, { requestId, ...data });
    if (!isOpen()) return;
    const sent = data === undefined ? message : { message, ...loggableFields(data) };
    // A handler that logs must not fail because its client has disconnected.
    caller.sendLog(level, sent).catch(() => undefined);
  });
}

function progressReporter(caller: Caller, isOpen: () => boolean): AnyContext["progress"] {
  let last = -Infinity;
  return async (done, total, message) => {
    // The protocol requires progress to grow: a report that does not is dropped.
    if (caller.sendProgress === undefined || !isOpen()) return;
    if (!Number.isFinite(done) || done <= last) return;
    last = done;
    const report = {
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    await caller.sendProgress(report).catch(() => undefined);
  };
}
