import type { ActedFor } from "./acting.js";
import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { AnswerMemory } from "./answer-memory.js";
import type { Cancellation, StopSignal } from "../engine/cancellation.js";
import { loggableFields, loggerOf, type Logger, type LogLevel } from "../observe/log.js";
import type { Authentication } from "../authentication/authentication.js";
import type { Directories } from "../directories/directories.js";
import type { TaskOfCall } from "../tasks/definition.js";
import type { Programs } from "../programs/programs.js";

/** The protocol era of a request: `modern` is 2026-07-28, `legacy` is every version before it. */
export type Era = "modern" | "legacy";

/** The second argument of every handler. Some features of a project add members to it. */
export interface HandlerContext<Env, Services> {
  /** Aborted when the caller cancels, the time limit is reached, or the server stops. */
  readonly signal: AbortSignal;
  /** Writes to the server's log, and sends the entry to the client if it wants entries of this level. */
  readonly log: Logger;
  /** Reports progress if the caller asked for it. `done` must grow from call to call. */
  progress(done: number, total?: number, message?: string): Promise<void>;
  /** The environment variables that the manifest declares, checked and converted at start. */
  readonly env: Env;
  /** The value that `createServices` in `src/context.ts` returned. */
  readonly services: Services;
  /** The JSON-RPC id of the request. Log lines of the handler contain it too. */
  readonly requestId: string | number;
  /** The protocol era of the request. */
  readonly era: Era;
  /** Runs programs without a shell. They end at the latest with the call. */
  readonly programs: Programs;
  /** Lists and reads the files of folders. This needs the package `mime`. */
  readonly directories: Directories;
}

/** A context without the types of a project, since the runtime is the same in every project. */
export type AnyContext = HandlerContext<never, never>;

/** A report of how far a call is, in the form of the protocol. */
export interface ProgressReport {
  /** The work that is done, in any unit. */
  readonly progress: number;
  /** The whole work in the same unit; absent if it is not known. */
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
  /** Absent if the caller did not ask for progress. */
  readonly progress?: RequestProgress | undefined;
  /** The client's capabilities. Undefined if the server cannot ask the client questions. */
  clientCapabilities(): ClientCapabilities | undefined;
  /** The memory for the answer. Absent where it is not limited. */
  readonly memory?: AnswerMemory | undefined;
  /** The caller's network address. Absent if no feature of the server needs it. */
  readonly address?: string | undefined;
  /** The client's answers to questions that an earlier run of this request asked. */
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  /** The state that the server sent with the questions, as the client returned it. */
  readonly requestState?: unknown;
  /** The authenticated caller. Undefined if callers are not authenticated. */
  readonly authentication?: Authentication | undefined;
  /** Makes a task of the call. Absent if the call does not become one. */
  readonly task?: TaskOfCall;
  /** Time limit of a handler that runs for a task, in milliseconds; absent for that of its item, or of the server. */
  readonly timeLimitMs?: number | undefined;
  /** The outcome of the question whether the tool may run. It is set while the request is answered, for those who record it. */
  consent?: "asked" | "given" | "refused";
  /** The services that were asked in the caller's name. It is there for those who record it, and filled meanwhile. */
  actedFor?: ActedFor[] | undefined;
}

/** Whether a call was cancelled or has reached its time limit, and the signal that tells its handler. */
export type CallSignal = Pick<Cancellation, "signal" | "reason">;

/** The values of a server that all its handlers share. */
export interface SharedValues {
  readonly env: unknown;
  readonly services: unknown;
  readonly log: Logger;
}

/** Adds the members of a feature to a new context. */
export type ContextExtension = (
  context: object,
  caller: Caller,
  shared: SharedValues,
  call: CallSignal,
) => void;

const extensions: ContextExtension[] = [];

/** Registers an extension for every context that is made from now on. */
export function extendContexts(extension: ContextExtension): void {
  extensions.push(extension);
}

/** A handler's context. After `end`, it sends no more messages to the caller. */
export interface OpenContext {
  readonly context: AnyContext;
  /** Reports every 10 seconds from now on that the call still runs, if the caller asked for progress. */
  keepReporting(): void;
  end(): void;
}

/** Makes the context of one call. */
export function openContext(caller: Caller, call: CallSignal, shared: SharedValues): OpenContext {
  let open = true;
  const isOpen = (): boolean => open && call.reason === undefined;
  const context = new CallContext(caller, call, shared, isOpen);
  for (const extend of extensions) extend(context, caller, shared, call);
  return {
    // Extensions have added the members that the class does not declare.
    context: context as unknown as AnyContext,
    keepReporting: () => {
      caller.progress?.startHeartbeat("Still running", isOpen);
    },
    end: () => {
      open = false;
      caller.progress?.stopHeartbeat();
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
  readonly #call: CallSignal;

  /*
   * The signal is made only when a handler reads it. The property belongs to each context object, not to
   * the prototype, so that copies of a context have it too. All contexts share this one descriptor: a new
   * getter for each context would take longer than most calls.
   */
  static readonly #signal: PropertyDescriptor = {
    enumerable: true,
    get(this: CallContext) {
      return this.#call.signal;
    },
  };

  constructor(
    caller: Caller,
    call: CallSignal,
    { env, services, log }: SharedValues,
    isOpen: () => boolean,
  ) {
    const { requestId, era } = caller;
    this.log = callLog(caller, log, isOpen);
    this.progress = callProgress(caller, isOpen);
    this.env = env;
    this.services = services;
    this.requestId = requestId;
    this.era = era;
    this.#call = call;
    Object.defineProperty(this, "signal", CallContext.#signal);
  }
}

/*
 * V8 puts a function among the old objects if it is written where it is assigned to a property, as in
 * `this.progress = () => …`. All that it refers to, such as the request, would be kept until V8 collects old objects, too.
 */
function callProgress({ progress }: Caller, isOpen: () => boolean): AnyContext["progress"] {
  return async (...report) => {
    if (isOpen()) await progress?.report(...report);
  };
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

/**
 * Time between two reports that a silent call still runs, in milliseconds. Clients of the SDK that reset their time limit
 * of 60 seconds with each report end calls that send none.
 */
export const heartbeatMs = 10_000;

const heartbeatStep = 1e-6;

/**
 * Sends the progress of one request to a caller that asked for it. All runs of the request's handler share it, since its
 * reports must grow.
 */
export class RequestProgress {
  readonly #send: (report: ProgressReport) => Promise<void>;
  #lastDone = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (report: ProgressReport) => Promise<void>) {
    this.#send = send;
  }

  /** Sends a report, unless its value is not higher than that of the last one. */
  async report(done: number, total?: number, message?: string): Promise<void> {
    if (!Number.isFinite(done) || done <= this.#lastDone) return;
    this.#lastDone = done;
    this.#timer?.refresh();
    const report = {
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    // A handler that reports must not fail because its client has disconnected.
    await this.#send(report).catch(() => undefined);
  }

  /**
   * Reports from now on that the call goes on, each time that nothing was reported for {@link heartbeatMs}.
   * @param isOpen Whether the caller still waits.
   */
  startHeartbeat(message: string, isOpen: () => boolean): void {
    this.stopHeartbeat();
    const beat = (): void => {
      if (!isOpen()) return;
      // The step is so small that reports of the handler itself go on growing.
      const done = Math.max(this.#lastDone, 0);
      void this.report(done + heartbeatStep * Math.max(done, 1), undefined, message);
    };
    this.#timer = setTimeout(beat, heartbeatMs).unref();
  }

  stopHeartbeat(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
