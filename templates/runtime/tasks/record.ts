import type { InputRequest, JSONObject, Result } from "@modelcontextprotocol/server";

/** The states of a task. Nothing follows the last three. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** The questions of a task that wait for answers. */
export interface OpenQuestions {
  /** Questions without an answer, by the names that they have in this task. */
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** The answers that have come so far, by the names that the questions have in the call. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What the call has sealed for the run that gets the answers. */
  readonly requestState?: unknown;
}

/** The error of the protocol with which a task has failed. */
export interface TaskError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What is kept of a task. All of it is JSON. Records never change: a new one replaces them. */
export interface TaskRecord {
  readonly id: string;
  /** The principal to whom it belongs; null if callers are not authenticated. */
  readonly owner: string | null;
  /** Whose limits it counts for: the principal, or the address of a caller who is not authenticated. */
  readonly holder: string;
  /** The name of its tool. */
  readonly tool: string;
  /** The call, without its `_meta`. Absent until the tool asks, unless it says beforehand that it does. */
  readonly call?: JSONObject;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** When it was created and changed last, in milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** The number of times that it has asked. */
  readonly rounds: number;
  /** Present while it waits for answers. */
  readonly questions?: OpenQuestions;
  /** Present if it is completed. */
  readonly result?: Result;
  /** Present if it has failed. */
  readonly error?: TaskError;
}

/** Longest text about the state of a task, in UTF-16 code units. */
const maxMessageLength = 1_000;

/** How long a task is still known after its time has passed, in milliseconds, so that clients can learn how it ended. */
export const afterlifeMs = 60_000;

/** Whether a task has ended. */
export function isOver({ status }: Pick<TaskRecord, "status">): boolean {
  return status !== "working" && status !== "input_required";
}

/** The state that a change gives a task. Questions, results and errors belong to it alone. */
type TaskChange = Pick<TaskRecord, "status"> &
  Partial<Pick<TaskRecord, "statusMessage" | "questions" | "result" | "error" | "rounds">>;

/** Returns a task in another state. What belonged to the former one is gone, and so is the call of a task that is over. */
export function changed(record: TaskRecord, change: TaskChange, now: number): TaskRecord {
  const { call, statusMessage: former, questions: _questions, ...lasting } = record;
  const { statusMessage = change.status === record.status ? former : undefined, ...state } = change;
  return {
    ...lasting,
    ...state,
    ...(call !== undefined && !isOver(change) && { call }),
    ...(statusMessage !== undefined && { statusMessage: statusMessage.slice(0, maxMessageLength) }),
    updatedAt: Math.max(now, record.updatedAt),
  };
}

/** Returns the task as failed if it was not over when its time had passed; undefined if nobody may know of it any more. */
export function atTime(record: TaskRecord, now: number): TaskRecord | undefined {
  const end = record.createdAt + record.ttlMs;
  if (now < end) return record;
  if (now >= end + afterlifeMs) return undefined;
  if (record.status !== "input_required") return record;
  const message = `Nobody answered its questions within ${record.ttlMs / 1_000} s`;
  const error = { code: -32603, message };
  return changed(record, { status: "failed", statusMessage: message, error }, now);
}

/** A task as `tools/call` answers with it. */
export function createdTask(record: TaskRecord): Result {
  return { resultType: "task", ...stateOf(record) };
}

/** A task as `tasks/get` answers with it, and `notifications/tasks` tells of it. */
export function detailedTask(record: TaskRecord): Result {
  const { questions, result, error } = record;
  return {
    ...stateOf(record),
    ...(questions !== undefined && { inputRequests: questions.requests }),
    // The whole of what the call would have been answered with.
    ...(result !== undefined && { result: { ...result, resultType: "complete" } }),
    ...(error !== undefined && { error }),
  };
}

function stateOf(record: TaskRecord): object {
  const { id, status, statusMessage, createdAt, updatedAt, ttlMs, pollIntervalMs } = record;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
  };
}
