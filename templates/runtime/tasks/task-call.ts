import type { Result } from "@modelcontextprotocol/server";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import { Cancellation, listenTo } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import { RequestProgress, type Caller, type ProgressReport } from "../context/context.js";
import type { TaskOfCall } from "./definition.js";

/** How a call ended. */
export type CallOutcome = { readonly result: Result } | { readonly error: unknown };

/** What the server does for a call that becomes a task. */
export interface TaskCallOptions {
  /** Makes the task. @returns its id, and the result that tells the caller of it @throws ToolError if there is no room */
  create(call: TaskCall): Awaitable<{ readonly id: string; readonly result: Result }>;
  /** Called with the report of a handler. */
  report(id: string, message: string): void;
  /** The least time between two reports, in milliseconds; absent if each counts. */
  readonly reportIntervalMs?: number | undefined;
  /** Called when the call of a task ends. */
  ended(id: string, outcome: CallOutcome): void;
  /** For how long the call runs before it becomes a task, in milliseconds; absent if it becomes one at once. */
  readonly foregroundMs?: number;
  /** The time limit of the handler, in milliseconds. */
  readonly timeLimitMs: number;
}

/**
 * A run of a call as a task. Until there is a task, it ends with its request like every call; afterwards it goes on without
 * the client, and ends the task.
 */
export class TaskCall implements TaskOfCall {
  /** The caller for the handler. */
  readonly caller: Caller;
  readonly #cancellation = new Cancellation();
  readonly #options: TaskCallOptions;
  #id: string | undefined;
  #leaveRequest: () => void;
  #answer: (result: Result) => void = ignore;
  #foreground: NodeJS.Timeout | undefined;
  #reporting: NodeJS.Timeout | undefined;
  #reportedAt = -Infinity;
  /** Settles when the task of a call that has run for a while is made. */
  #creating: Awaitable<void> = undefined;

  /** @param id The task that the call continues; absent for a call that has none yet. */
  constructor(caller: Caller, options: TaskCallOptions, id?: string) {
    this.#options = options;
    this.#id = id;
    this.#leaveRequest =
      id === undefined
        ? listenTo(caller.signal, (reason) => this.#cancellation.cancel(reason))
        : ignore;
    this.caller = {
      ...caller,
      signal: this.#cancellation,
      // A task keeps its result itself, and has no stream for log messages.
      memory: undefined,
      sendLog: async () => undefined,
      progress: new TaskProgress((message) => this.#report(message)),
      task: this,
      timeLimitMs: options.timeLimitMs,
    };
  }

  begin(): Awaitable<void> {
    if (this.#id !== undefined || this.#foreground !== undefined) return;
    // Nobody would learn of the task.
    if (this.#cancellation.reason !== undefined) throw new ToolError("The call was cancelled");
    const { foregroundMs } = this.#options;
    if (foregroundMs === undefined) return this.#create();
    this.#foreground = setTimeout(() => {
      const failed = (error: unknown): void => this.#cancellation.cancel(error as Error);
      this.#creating = recover(() => this.#create(), failed);
    }, foregroundMs);
  }

  /** Stops the handler. Its outcome does not count any more. */
  cancel(): void {
    this.#cancellation.cancel(new ToolError("The task was cancelled"));
  }

  /** Runs the call. @returns its result, or that of the new task */
  async start(run: (caller: Caller) => Awaitable<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      void this.#outcomeOf(run).then(async (outcome) => {
        clearTimeout(this.#foreground);
        clearTimeout(this.#reporting);
        await this.#creating;
        this.#leaveRequest();
        if (this.#id !== undefined) this.#options.ended(this.#id, outcome);
        else if ("result" in outcome) resolve(outcome.result);
        else reject(outcome.error);
      });
    });
  }

  /** Passes a report on; the latest of several within the interval. */
  #report(message: string): void {
    const { reportIntervalMs = 0, report } = this.#options;
    clearTimeout(this.#reporting);
    const waitMs = this.#reportedAt + reportIntervalMs - performance.now();
    if (waitMs > 0) {
      this.#reporting = setTimeout(() => this.#report(message), waitMs).unref();
      return;
    }
    this.#reportedAt = performance.now();
    if (this.#id !== undefined) report(this.#id, message);
  }

  async #outcomeOf(run: (caller: Caller) => Awaitable<Result>): Promise<CallOutcome> {
    try {
      return { result: await run(this.caller) };
    } catch (error) {
      return { error };
    }
  }

  #create(): Awaitable<void> {
    return after(this.#options.create(this), ({ id, result }) => {
      this.#leaveRequest();
      this.#id = id;
      this.#answer(result);
    });
  }
}

/** Tells of the progress of a handler in words. A task needs no signs of life: its client asks for its state. */
class TaskProgress extends RequestProgress {
  constructor(tell: (message: string) => void) {
    super(async (report) => tell(inWords(report)));
  }

  override startHeartbeat(): void {
    // Nothing waits for one.
  }
}

function inWords({ progress, total, message }: ProgressReport): string {
  const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? done : `${message} (${done})`;
}

function ignore(): void {}
