import { randomUUID } from "node:crypto";
import { ProtocolError, ToolError } from "../engine/errors.js";
import type { EventQueue } from "../engine/event-queue.js";
import { limitInWords } from "../engine/limits.js";
import { memberOf, textMember } from "../engine/request-parameters.js";
import type { ServerDefinition } from "../engine/definition.js";
import { keptForEach, sizeOf, taskBytes, withoutContent } from "../tasks/memory-store.js";
import { afterlifeMs, atTime, changed, isOver, type TaskRecord } from "../tasks/record.js";
import type { ChangeTask, TaskStore } from "../tasks/store.js";
import type { Sharing } from "./definition.js";
import type { RedisCommands, RedisConnection, SharedPart } from "./redis-connection.js";

/** How long a replica counts as alive after its last sign of life, in milliseconds. */
const usualLeaseMs = 10_000;

/** Longest task that is kept in Redis, as JSON in bytes. */
export const longestSharedTask = 4 * 1024 * 1024;

/** Most attempts to change a task that others change at the same time. */
const maxAttempts = 20;

/**
 * What both scripts share. The bytes of calls, questions and results of each task of a caller are in the hash `KEYS[4]`, and their sum under its empty name.
 * `forget` gives back what tasks took that Redis has dropped. `count` takes the bytes of a task.
 */
const SIZES = `
local function forget(now)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)) do
    redis.call('HINCRBY', KEYS[4], '', -tonumber(redis.call('HGET', KEYS[4], id) or 0))
    redis.call('HDEL', KEYS[4], id)
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
end
local function added(id, bytes) return bytes - tonumber(redis.call('HGET', KEYS[4], id) or 0) end
local function fits(bytes, most)
  return bytes <= 0 or tonumber(redis.call('HGET', KEYS[4], '') or 0) + bytes <= tonumber(most)
end
local function count(id, bytes)
  redis.call('HINCRBY', KEYS[4], '', added(id, bytes))
  redis.call('HSET', KEYS[4], id, bytes)
end`;

/**
 * Keeps a new task, unless its caller has too many. Returns 0, or 1 or 2 for those that are not over, or all, or 3 for their
 * bytes.
 */
const CREATE = `${SIZES}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
forget(ARGV[3])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[6]) then return 1 end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[7]) then return 2 end
if not fits(tonumber(ARGV[9]), ARGV[8]) then return 3 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
count(ARGV[5], ARGV[9])
for index = 2, 4 do
  if index < 4 then redis.call('ZADD', KEYS[index], ARGV[4], ARGV[5]) end
  if redis.call('PTTL', KEYS[index]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[index], ARGV[2]) end
end
return 0`;

/**
 * Replaces a task if it is still the one that was read. Returns 1, or 0 if it is another one, or 2 if its caller has no room
 * for what is longer than before.
 */
const CHANGE = `${SIZES}
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
forget(ARGV[5])
if not fits(added(ARGV[4], ARGV[7]), ARGV[6]) then return 2 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
count(ARGV[4], ARGV[7])
if ARGV[3] == '1' then redis.call('ZREM', KEYS[2], ARGV[4]) end
return 1`;

/** A task in Redis: with the replica that has changed it last, which runs it while it works. */
interface SharedTask {
  readonly replica: string;
  readonly record: TaskRecord;
}

interface SharedTaskOptions {
  /** How long a replica counts as alive after its last sign of life, in milliseconds. */
  readonly leaseMs?: number;
  /** Most bytes of all tasks of one caller. */
  readonly mostBytes?: number;
}

/** Keeps the tasks of a server in Redis, for all its replicas. */
export function shareTasks(
  redis: RedisConnection,
  sharing: Pick<Sharing, "definition" | "limits">,
  options: SharedTaskOptions = {},
): TaskStore {
  const store = new RedisTaskStore(redis, sharing, options);
  redis.add(store);
  return store;
}

class RedisTaskStore implements TaskStore, SharedPart {
  readonly reportIntervalMs = 500;
  exceed: TaskStore["exceed"];
  changed: TaskStore["changed"];
  followed: TaskStore["followed"];
  readonly #redis: RedisConnection;
  readonly #leaseMs: number;
  readonly #mostBytes: number;
  readonly #most: number;
  readonly #exactNumbers: ServerDefinition["exactNumbers"];
  readonly #replica = randomUUID();
  /** Since when this replica would know that another one is alive. */
  #knowsSince = Date.now();
  /** The tasks that this replica has made or resumed, and that were not over when it changed them. */
  readonly #own = new Set<string>();

  constructor(
    redis: RedisConnection,
    { definition, limits }: Pick<Sharing, "definition" | "limits">,
    { leaseMs = usualLeaseMs, mostBytes = taskBytes.ofHolder }: SharedTaskOptions,
  ) {
    this.#leaseMs = leaseMs;
    this.#mostBytes = mostBytes;
    this.#redis = redis;
    this.#most = limits.tasks;
    this.#exactNumbers = definition.exactNumbers;
    this.exceed = () => limitInWords(limits, "tasks");
  }

  get unfinished(): number {
    return this.#own.size;
  }

  /** A sign of life. */
  async refresh(): Promise<void> {
    const key = `${this.#redis.prefix}alive:${this.#replica}`;
    await this.#redis.commands?.set(key, "1", { PX: this.#leaseMs });
  }

  missed(): void {
    this.#knowsSince = Date.now();
  }

  received(message: unknown, queue: EventQueue): void {
    const id = textMember(memberOf(message, "task"), "id");
    if (id !== undefined) queue.add(`task ${id}`, () => this.followed?.(id));
  }

  async create(record: TaskRecord): Promise<void> {
    const away = (): never => {
      throw new ToolError(notAvailable);
    };
    const commands = this.#redis.commands ?? away();
    const { id, holder, createdAt, ttlMs } = record;
    const lifeMs = ttlMs + afterlifeMs;
    const text = this.#textOf(record);
    if (Buffer.byteLength(text) > longestSharedTask) {
      throw new ToolError("The arguments are too long for a task");
    }
    const most = [this.#most, this.#most * keptForEach, this.#mostBytes];
    const refused = await run(commands, CREATE, [
      this.#keysOf(record),
      [text, lifeMs, createdAt, createdAt + lifeMs, id, ...most, sizeOf(record)],
    ]).catch(away);
    if (refused === 0) return void this.#own.add(id);
    if (refused === 3) {
      const limit = this.exceed(holder);
      throw new ToolError(`Tasks take all room until they expire: try again later (${limit})`);
    }
    const which = refused === 1 ? "Too many tasks are not finished" : "Too many tasks are kept";
    throw new ToolError(`${which}: wait for one, or cancel one (${this.exceed(holder)})`);
  }

  async read(id: string): Promise<TaskRecord | undefined> {
    return (await this.#current(id))?.record;
  }

  async change(id: string, change: ChangeTask): Promise<TaskRecord | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const current = await this.#current(id);
      const next = current && change(current.record);
      if (current === undefined || next === undefined) return undefined;
      const kept = await this.#replace(current.text, next);
      if (kept !== undefined) return kept;
    }
    throw new Error("a task was changed too often at the same time");
  }

  close(): void {
    this.#own.clear();
  }

  /** Returns a task as it is now: as failed if its replica has died, or nobody has answered in time. */
  async #current(id: string): Promise<{ record: TaskRecord; text: string } | undefined> {
    const commands = this.#commands();
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const text = await commands.get(this.#key(id)).catch(unavailable);
      if (text === null) return undefined;
      const { record, replica } = JSON.parse(text) as SharedTask;
      const timely = atTime(record, Date.now());
      if (timely === undefined) return undefined;
      const now = await this.#withoutDead(timely, replica, commands);
      if (now === record) return { record, text };
      await this.#replace(text, now);
    }
    throw new Error("a task was changed too often at the same time");
  }

  async #withoutDead(
    record: TaskRecord,
    replica: string,
    commands: RedisCommands,
  ): Promise<TaskRecord> {
    if (record.status !== "working" || replica === this.#replica) return record;
    // After a while without Redis, others may be alive without having been able to say so.
    if (Date.now() - this.#knowsSince < this.#leaseMs) return record;
    const sign = await commands.get(`${this.#redis.prefix}alive:${replica}`).catch(unavailable);
    if (sign !== null) return record;
    const message = "The process that ran it has ended before it was done";
    const error = { code: -32603, message };
    return changed(record, { status: "failed", statusMessage: message, error }, Date.now());
  }

  /** @returns what is kept; undefined if the task has changed meanwhile */
  async #replace(former: string, record: TaskRecord): Promise<TaskRecord | undefined> {
    const { id } = record;
    const isLong = Buffer.byteLength(this.#textOf(record)) > longestSharedTask;
    let kept = isLong ? withoutContent(record, Date.now()) : record;
    let replaced = await this.#write(former, kept, this.#mostBytes);
    if (replaced === 2) {
      kept = withoutContent(record, Date.now());
      // What is left is short, and must be known.
      replaced = await this.#write(former, kept, Infinity);
    }
    if (replaced !== 1) return undefined;
    if (isOver(kept)) this.#own.delete(id);
    else if (kept.status === "working") this.#own.add(id);
    this.changed?.(kept);
    // Another replica may run it, or have clients that follow it.
    await this.#redis.publish({ task: { id } }).catch(() => undefined);
    return kept;
  }

  #write(former: string, record: TaskRecord, mostBytes: number): Promise<unknown> {
    const isDone = isOver(record) ? "1" : "0";
    const most = Math.min(mostBytes, Number.MAX_SAFE_INTEGER);
    return run(this.#commands(), CHANGE, [
      this.#keysOf(record),
      [former, this.#textOf(record), isDone, record.id, Date.now(), most, sizeOf(record)],
    ]).catch(unavailable);
  }

  /** The task, and of all tasks of its caller: those that are not over, all, and their bytes. */
  #keysOf({ id, holder }: TaskRecord): readonly string[] {
    return [id, `open:${holder}`, `kept:${holder}`, `bytes:${holder}`].map((name) =>
      this.#key(name),
    );
  }

  #textOf(record: TaskRecord): string {
    const json = JSON.stringify({ replica: this.#replica, record } satisfies SharedTask);
    return this.#exactNumbers?.withDigits(json) ?? json;
  }

  #key(name: string): string {
    return `${this.#redis.prefix}task:${name}`;
  }

  /** @throws ProtocolError while there is no connection */
  #commands(): RedisCommands {
    return this.#redis.commands ?? unavailable();
  }
}

const notAvailable = "Tasks are not available at the moment: try again later";

/** @throws ProtocolError */
function unavailable(): never {
  throw new ProtocolError(-32603, notAvailable);
}

function run(
  commands: RedisCommands,
  script: string,
  [keys, values]: readonly [readonly string[], readonly (string | number)[]],
): Promise<unknown> {
  return commands.eval(script, { keys: [...keys], arguments: values.map(String) });
}
