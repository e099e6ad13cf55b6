import type { Awaitable } from "../engine/awaitable.js";
import type { TaskRecord } from "./record.js";

/** Returns what replaces a task; undefined if it is to stay as it is. */
export type ChangeTask = (record: TaskRecord) => TaskRecord | undefined;

/** Keeps tasks. */
export interface TaskStore {
  /**
   * Keeps a new task. Afterwards, every process that shares the store knows it.
   * @throws ToolError if there is no room for it
   */
  create(record: TaskRecord): Awaitable<void>;
  /** Returns a task; undefined if there is none, or none any more. */
  read(id: string): Awaitable<TaskRecord | undefined>;
  /** Changes a task as one step. @returns the new task; undefined if there is none, or it was not changed */
  change(id: string, change: ChangeTask): Awaitable<TaskRecord | undefined>;
  /** The number of tasks that are not over and that this process has to do with. */
  readonly unfinished: number;
  /** The least time between two reports of one handler, in milliseconds; absent if each is kept. */
  readonly reportIntervalMs?: number;
  /** Reports that a caller has too many tasks. @returns the limit in words */
  exceed: (holder: string) => string;
  /** Called with a task that this process has changed. */
  changed?: ((record: TaskRecord) => void) | undefined;
  /** Called with the id of a task that another process has changed. */
  followed?: ((id: string) => void) | undefined;
  /** Must be called once, when the server closes. */
  close(): Awaitable<void>;
}
