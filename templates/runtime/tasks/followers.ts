import type { Result } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import { after, recover } from "../engine/awaitable.js";
import { detailedTask, isOver, type TaskRecord } from "./record.js";
import type { TaskStore } from "./store.js";
import { maxIdLength, type Tasks } from "./tasks.js";

/** Most tasks that one request follows. */
const mostFollowed = 100;

/**
 * The time between two looks at the tasks that are followed, in milliseconds: nobody reports that the time of a task has
 * passed, or that its replica has died.
 */
const lookMs = 5_000;

/** A client that follows a task. */
interface Follower {
  readonly caller: Partial<Caller>;
  /** Tells the client how the task is now. */
  readonly tell: (task: Result) => void;
  /** The state of which it was told last. */
  told: { readonly updatedAt: number; readonly state: string } | undefined;
}

/** Tells the clients that follow tasks how these change. */
export class TaskFollowers {
  readonly #store: Pick<TaskStore, "read">;
  readonly #tasks: Pick<Tasks, "mayFollow">;
  readonly #followers = new Map<string, Set<Follower>>();
  #looking: NodeJS.Timeout | undefined;

  constructor(store: Pick<TaskStore, "read">, tasks: Pick<Tasks, "mayFollow">) {
    this.#store = store;
    this.#tasks = tasks;
  }

  /** Finds the tasks with these ids that a caller may follow; only so many of them. */
  async find(
    ids: readonly string[],
    caller: Partial<Caller>,
  ): Promise<ReadonlyMap<string, TaskRecord>> {
    const wanted = [...new Set(ids)].filter(({ length }) => length <= maxIdLength);
    const reading = wanted.slice(0, mostFollowed).map((id) =>
      // What cannot be read now is not followed.
      recover(
        () => this.#store.read(id),
        () => undefined,
      ),
    );
    const records = (await Promise.all(reading)).filter(
      (record) => record !== undefined && this.#tasks.mayFollow(record, caller),
    ) as readonly TaskRecord[];
    return new Map(records.map((record) => [record.id, record]));
  }

  /**
   * Follows tasks: tells how each is now, and whenever it has changed, until it is over.
   * @returns a function that ends it
   */
  follow(
    records: ReadonlyMap<string, TaskRecord>,
    caller: Partial<Caller>,
    tell: (task: Result) => void,
  ): () => void {
    const followed = [...records.values()].map((record) => {
      const follower: Follower = { caller, tell, told: undefined };
      const followers = this.#followers.get(record.id) ?? new Set();
      this.#followers.set(record.id, followers.add(follower));
      this.#tell(follower, record);
      return [record.id, follower] as const;
    });
    this.#looking ??= setInterval(() => this.#lookAtAll(), lookMs).unref();
    return () => {
      for (const [id, follower] of followed) this.#leave(id, follower);
    };
  }

  /** Must be called with a task that has changed. */
  changed(record: TaskRecord): void {
    for (const follower of this.#followers.get(record.id) ?? []) this.#tell(follower, record);
  }

  /** Must be called with the id of a task that may have changed. */
  look(id: string): void {
    if (!this.#followers.has(id)) return;
    const seen = (record: TaskRecord | undefined): void => {
      if (record === undefined) this.#followers.delete(id);
      else this.changed(record);
    };
    void recover(
      () => after(this.#store.read(id), seen),
      () => undefined,
    );
  }

  close(): void {
    clearInterval(this.#looking);
    this.#followers.clear();
  }

  #lookAtAll(): void {
    for (const id of this.#followers.keys()) this.look(id);
    if (this.#followers.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  #tell(follower: Follower, record: TaskRecord): void {
    const { status, statusMessage, questions, updatedAt } = record;
    const open = Object.keys(questions?.requests ?? {});
    const state = JSON.stringify([status, statusMessage, open]);
    const { told } = follower;
    // Several reads of one task may end in another order.
    const isOld = told !== undefined && updatedAt < told.updatedAt;
    if (isOld || told?.state === state || !this.#tasks.mayFollow(record, follower.caller)) return;
    follower.told = { updatedAt, state };
    follower.tell(detailedTask(record));
    if (isOver(record)) this.#leave(record.id, follower);
  }

  #leave(id: string, follower: Follower): void {
    const followers = this.#followers.get(id);
    followers?.delete(follower);
    if (followers?.size === 0) this.#followers.delete(id);
  }
}
