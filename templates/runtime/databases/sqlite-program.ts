/** A statement for the process of a SQLite database. */
export interface SqliteRequest {
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly maxRows: number;
}

export type SqliteAnswer =
  | {
      readonly rows: readonly Readonly<Record<string, unknown>>[];
      readonly isCut: boolean;
      readonly changed: number;
    }
  | { readonly error: string };

/** The parts of `node:sqlite` that the program uses. The oldest supported Node.js does not have this module. */
interface Sqlite {
  readonly DatabaseSync: new (path: string, options: object) => SqliteDatabase;
}

interface SqliteDatabase {
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
 */
export function sqliteProgram(path: string, readOnly: boolean, timeout: number): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as unknown as Sqlite;
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

  const run = ({ text, values, maxRows }: SqliteRequest): SqliteAnswer => {
    const changesBefore = totalChanges();
    const statement = database.prepare(text);
    statement.setReadBigInts(true);
    const iterator = statement.iterate(mapValues(values, toSqlite));
    const rows = [];
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      if (rows.length === maxRows) {
        iterator.return?.();
        return { rows, isCut: true, changed: totalChanges() - changesBefore };
      }
      rows.push(mapValues(next.value, toJson));
    }
    return { rows, isCut: false, changed: totalChanges() - changesBefore };
  };

  const totalChanges = (): number =>
    Number(database.prepare("select total_changes() as n").iterate({}).next().value["n"]);

  process.on("message", (request: SqliteRequest) => {
    try {
      process.send?.(run(request));
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
  });
  process.on("disconnect", () => process.exit());
  // A busy process does not get "disconnect": a thread ends it when its parent has ended.
  const parentWatch = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");
  }, 500);`;
  new Worker(parentWatch, { eval: true });
}
