import { ToolError } from "../engine/errors.js";
import { resultSize } from "../engine/result-size.js";
import { failedCall } from "../tools/result.js";
import { afterlifeMs, atTime, changed, isOver, type TaskRecord } from "./record.js";
import type { ChangeTask, TaskStore } from "./store.js";

/** Most bytes of calls, questions and results that are kept: of all tasks, and of those of one caller. */
export const taskBytes = { ofAll: 128 * 1024 * 1024, ofHolder: 64 * 1024 * 1024 };

/** How many tasks of one caller are kept for each that may be unfinished. */
export const keptForEach = 10;

/** The time between two searches for tasks whose time has passed, in milliseconds. */
const sweepMs = 5_000;

/** What is kept of one caller's tasks. */
interface Holding {
  readonly ids: Set<string>;
  unfinished: number;
  bytes: number;
}

interface MemoryStoreOptions {
  /** Most tasks of one caller that are not over. */
  readonly most: number;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Keeps the tasks of one process, in its memory. They end with it. */
export class MemoryTaskStore implements TaskStore {
  exceed: TaskStore["exceed"] = () => "limits.tasks";
  changed: TaskStore["changed"];
  readonly #options: MemoryStoreOptions;
  readonly #records = new Map<string, TaskRecord>();
  readonly #sizes = new Map<string, number>();
  readonly #holdings = new Map<string, Holding>();
  #bytes = 0;
  #unfinished = 0;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  get unfinished(): number {
    return this.#unfinished;
  }

  create(record: TaskRecord): void {
    const { most } = this.#options;
    const isFull = (): boolean =>
      (this.#holdings.get(record.holder)?.ids.size ?? 0) >= most * keptForEach ||
      !this.#hasRoom(record, sizeOf(record));
    if (isFull()) this.#sweep();
    if ((this.#holdings.get(record.holder)?.unfinished ?? 0) >= most) {
      const limit = this.exceed(record.holder);
      throw new ToolError(
        `Too many tasks are not finished: wait for one, or cancel one (${limit})`,
      );
    }
    if (isFull()) {
      const limit = this.exceed(record.holder);
      throw new ToolError(
        `Finished tasks take all room until they expire: try again later (${limit})`,
      );
    }
    this.#put(record);
    this.#sweeping ??= setInterval(() => this.#sweep(), sweepMs).unref();
  }

  read(id: string): TaskRecord | undefined {
    const record = this.#records.get(id);
    const current = record && atTime(record, this.#options.now());
    if (record !== undefined && current !== record) this.#replace(id, current);
    return current;
  }

  change(id: string, change: ChangeTask): TaskRecord | undefined {
    const record = this.read(id);
    const next = record && change(record);
    if (record === undefined || next === undefined) return undefined;
    const kept = this.#hasRoom(next, sizeOf(next) - (this.#sizes.get(id) ?? 0))
      ? next
      : withoutContent(next, this.#options.now());
    this.#replace(id, kept);
    return kept;
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  #hasRoom({ holder }: TaskRecord, added: number): boolean {
    if (added <= 0) return true;
    const held = this.#holdings.get(holder)?.bytes ?? 0;
    return this.#bytes + added <= taskBytes.ofAll && held + added <= taskBytes.ofHolder;
  }

  #put(record: TaskRecord): void {
    const { id, holder } = record;
    const holding = this.#holdings.get(holder) ?? { ids: new Set(), unfinished: 0, bytes: 0 };
    this.#holdings.set(holder, holding);
    holding.ids.add(id);
    this.#records.set(id, record);
    this.#count(record, holding, 1);
  }

  #replace(id: string, next: TaskRecord | undefined): void {
    const record = this.#records.get(id);
    const holding = record && this.#holdings.get(record.holder);
    if (record === undefined || holding === undefined) return;
    this.#count(record, holding, -1);
    this.#records.delete(id);
    holding.ids.delete(id);
    if (holding.ids.size === 0) this.#holdings.delete(record.holder);
    if (next === undefined) return;
    this.#put(next);
    this.changed?.(next);
  }

  #count(record: TaskRecord, holding: Holding, by: 1 | -1): void {
    const { id } = record;
    const size = by === 1 ? sizeOf(record) : (this.#sizes.get(id) ?? 0);
    if (by === 1) this.#sizes.set(id, size);
    else this.#sizes.delete(id);
    this.#bytes += by * size;
    holding.bytes += by * size;
    if (isOver(record)) return;
    this.#unfinished += by;
    holding.unfinished += by;
  }

  #sweep(): void {
    const now = this.#options.now();
    for (const [id, { createdAt, ttlMs }] of this.#records) {
      if (now >= createdAt + ttlMs + afterlifeMs) this.#replace(id, undefined);
    }
    if (this.#records.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }
}

/** The bytes of a task that count: those of its call, questions and result. */
export function sizeOf({ call, questions, result, error }: TaskRecord): number {
  return resultSize([call ?? 0, questions ?? 0, result ?? 0, error ?? 0]);
}

/** The task without what there is no memory for, which it then says. */
export function withoutContent(record: TaskRecord, now: number): TaskRecord {
  const why = "there is no memory to keep it beside what other tasks keep";
  if (record.result !== undefined) {
    const message = `The tool has run and needs no repetition, but its result is lost: ${why}`;
    return changed(record, { status: "completed", result: failedCall(message) }, now);
  }
  const message = `It could not go on: ${why}`;
  const error = { code: -32603, message };
  return changed(record, { status: "failed", statusMessage: message, error }, now);
}
