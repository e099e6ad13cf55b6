import type { Awaitable } from "../engine/awaitable.js";

/** The extension Tasks, SEP-2663. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** How calls of a tool become tasks. */
export interface TaskSettings {
  /**
   * How long a task is kept after its creation, in milliseconds. Also the time limit of its handler, if the tool sets no
   * shorter one.
   */
  readonly ttlMs?: number;
  /** How long clients should wait between two questions for its state, in milliseconds. */
  readonly pollIntervalMs?: number;
  /** Whether clients that do not know tasks are refused. By default they get the plain call. */
  readonly required?: boolean;
  /**
   * When users are asked. `during`, the default: by the task. `before`: a question that comes within a second ends the call
   * as it does without tasks, and the call with the answers becomes the task.
   */
  readonly asks?: "before" | "during";
}

/** The settings of tasks that a tool does not set. */
export const taskDefaults = { ttlMs: 3_600_000, pollIntervalMs: 1_000 };

/** A call that becomes a task once its arguments are known to be valid. */
export interface TaskOfCall {
  /**
   * Makes the task, before the handler runs for the first time.
   * @throws ToolError if the caller has too many tasks
   */
  begin(): Awaitable<void>;
}
