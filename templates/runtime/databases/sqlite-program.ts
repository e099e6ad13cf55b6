/** A statement for the process of a SQLite database. */
export interface SqliteRequest {
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly maxRows: number;
  /** The maximum number of bytes of the values of all rows; each value counts four bytes more than its text. */
  readonly maxBytes: number;
  /** How much memory the process may need for the statement, in addition to what it has, in bytes. */
  readonly maxMemory: number;
  /** Whether the length of a long answer is sent first. The process keeps it until it gets a {@link SqliteOrder}. */
  readonly announces: boolean;
}

/** What to do with an answer whose length was announced. */
export type SqliteOrder = "send" | "drop";

export type SqliteAnswer =
  | {
      readonly rows: readonly Readonly<Record<string, unknown>>[];
      readonly isCut: boolean;
      readonly changed: number;
      /** The number of bytes that are counted for `maxBytes`. */
      readonly bytes: number;
    }
  /** The length of an answer that waits in the process, in bytes. */
  | { readonly announced: number }
  /** The answer has more than `maxBytes`, and the statement was rolled back. */
  | { readonly isTooLong: true }
  | { readonly error: string };

/** The parts of `node:sqlite` that the program uses. The oldest supported Node.js does not have this module. */
interface Sqlite {
  readonly DatabaseSync: new (path: string, options: object) => SqliteDatabase;
}

interface SqliteDatabase {
  exec(statements: string): void;
  prepare(text: string): {
    setReadBigInts(enabled: boolean): void;
    iterate(values: object): Iterator<Record<string, unknown>>;
  };
}

/**
 * The program of a process that keeps a SQLite database open and runs one statement at a time. It is a process
 * because SQLite blocks until it has the next row: a process can be ended meanwhile, a thread cannot. The
 * process gets the source text of this function, so that the function must not use anything outside of itself.
 *
 * @param timeout the time to wait for a lock, in milliseconds
 * @param announcedBytes an answer of so many bytes is announced
 * @param outOfMemory the signal by which the process ends itself if a statement needs more than `maxMemory`
 */
export function sqliteProgram(
  path: string,
  readOnly: boolean,
  timeout: number,
  announcedBytes: number,
  outOfMemory: NodeJS.Signals,
): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as Sqlite;
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const database = new DatabaseSync(path, { readOnly, timeout });

  /** A column's value as JSON: binary data as base64, and numbers that JSON cannot hold exactly as texts. */
  const toJson = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (typeof value !== "bigint") return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  };

  /** A value as SQLite takes it, which has no booleans, lists or objects. */
  const toSqlite = (value: unknown): unknown => {
    if (value === undefined || value === null) return null;
    if (typeof value === "boolean") return value ? 1 : 0;
    return typeof value === "object" ? JSON.stringify(value) : value;
  };

  const mapValues = (object: object, map: (value: unknown) => unknown): Record<string, unknown> =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

  /** The number of bytes of a column's value as JSON, without quotes and escapes. */
  const lengthOf = (value: unknown): number => {
    if (typeof value === "string") return Buffer.byteLength(value);
    if (value instanceof Uint8Array) return Math.ceil(value.length / 3) * 4;
    return value === null ? 0 : String(value).length;
  };

  const run = ({ text, values, maxRows, maxBytes }: SqliteRequest): SqliteAnswer => {
    const changesBefore = totalChanges();
    const statement = database.prepare(text);
    statement.setReadBigInts(true);
    const iterator = statement.iterate(mapValues(values, toSqlite));
    const rows = [];
    let bytes = 0;
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      for (const value of Object.values(next.value)) bytes += lengthOf(value) + 4;
      const isCut = rows.length === maxRows;
      if (isCut || bytes > maxBytes) iterator.return?.();
      if (isCut) return { rows, isCut, changed: totalChanges() - changesBefore, bytes };
      if (bytes > maxBytes) return { isTooLong: true };
      rows.push(mapValues(next.value, toJson));
    }
    return { rows, isCut: false, changed: totalChanges() - changesBefore, bytes };
  };

  const totalChanges = (): number =>
    Number(database.prepare("select total_changes() as n").iterate({}).next().value["n"]);

  /** Runs a statement in its own transaction. What it has changed is kept only if no limit of bytes ends it. */
  const runInTransaction = (request: SqliteRequest): SqliteAnswer => {
    if (readOnly) return run(request);
    database.exec("begin");
    let isKept = false;
    try {
      const answer = run(request);
      if (!("rows" in answer)) return answer;
      database.exec("commit");
      isKept = true;
      return answer;
    } finally {
      if (!isKept) rollBack();
    }
  };

  const rollBack = (): void => {
    try {
      database.exec("rollback");
    } catch {
      // SQLite itself has ended the transaction, as it does for some errors.
    }
  };

  // Megabytes that the process may have while a statement runs; 0 if none does.
  const maxMegabytes = new Int32Array(new SharedArrayBuffer(4));
  const setMaxMemory = (bytes: number): void => {
    Atomics.store(maxMegabytes, 0, Math.ceil(bytes / 1e6));
    Atomics.notify(maxMegabytes, 0);
  };

  /** The answer whose length was announced. */
  let kept: SqliteAnswer | undefined;

  const answer = (request: SqliteRequest): void => {
    setMaxMemory(process.memoryUsage.rss() + request.maxMemory);
    const answer = runInTransaction(request);
    if (!request.announces || !("rows" in answer) || answer.bytes < announcedBytes) {
      return void process.send?.(answer);
    }
    kept = answer;
    process.send?.({ announced: answer.bytes });
  };

  process.on("message", (message: SqliteRequest | SqliteOrder) => {
    try {
      if (message === "send") process.send?.(kept);
      kept = undefined;
      if (typeof message !== "string") answer(message);
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
    setMaxMemory(0);
  });
  process.on("disconnect", () => process.exit());
  // SQLite blocks this thread, and has no limit of memory that Node.js can set. Another thread ends the process if a
  // statement needs too much, or if the parent has ended, since a busy process does not get "disconnect".
  const watch = `const { workerData: maxMegabytes } = require("node:worker_threads");
    for (;;) {
      const max = Atomics.load(maxMegabytes, 0);
      Atomics.wait(maxMegabytes, 0, max, max === 0 ? 500 : 10);
      if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");
      const isTooLarge = max !== 0 && process.memoryUsage.rss() > max * 1e6;
      if (isTooLarge) process.kill(process.pid, ${JSON.stringify(outOfMemory)});
    }`;
  new Worker(watch, { eval: true, workerData: maxMegabytes });
}
