/** What the program is asked. */
export interface SqliteQuestion {
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

/** The parts of `node:sqlite` that the program uses; it is no part of the oldest Node.js. */
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
 * The program of a process that holds a SQLite database open and answers one question after another. SQLite
 * works without a pause until it has the next row, so that only the end of its process stops it at once; a
 * thread cannot be ended meanwhile. It gets this function as a text: everything that it uses is inside.
 */
export function sqliteProgram(path: string, readOnly: boolean, timeout: number): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as unknown as Sqlite;
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const database = new DatabaseSync(path, { readOnly, timeout });

  /** Integers are exact; what JSON has no type for is a text. */
  const plain = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
    if (typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (typeof value !== "bigint") return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  };

  /** SQLite has no truth values and no lists. */
  const bound = (value: unknown): unknown => {
    if (value === undefined || value === null) return null;
    if (typeof value === "boolean") return value ? 1 : 0;
    return typeof value === "object" ? JSON.stringify(value) : value;
  };

  const mapped = (object: object, map: (value: unknown) => unknown): Record<string, unknown> =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

  const answerTo = ({ text, values, maxRows }: SqliteQuestion): SqliteAnswer => {
    const before = changes();
    const statement = database.prepare(text);
    statement.setReadBigInts(true);
    const iterator = statement.iterate(mapped(values, bound));
    const rows = [];
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      if (rows.length === maxRows) {
        iterator.return?.();
        return { rows, isCut: true, changed: changes() - before };
      }
      rows.push(mapped(next.value, plain));
    }
    return { rows, isCut: false, changed: changes() - before };
  };

  const changes = (): number =>
    Number(database.prepare("select total_changes() as n").iterate({}).next().value["n"]);

  process.on("message", (question: SqliteQuestion) => {
    try {
      process.send?.(answerTo(question));
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
  });
  process.on("disconnect", () => process.exit());
  // A process that is busy does not notice that it is alone.
  const watch = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");
  }, 500);`;
  new Worker(watch, { eval: true });
}
