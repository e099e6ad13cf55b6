import { resolve } from "node:path";
import type { StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { BackendsOfKind } from "../backends/backends.js";
import type { ServerOptions } from "../server/create-server.js";
import { maskingOf, type Masking } from "../backends/masking.js";
import { MockModeError } from "../backends/mock-mode.js";
import { DatabaseAnswer } from "./answer.js";
import type {
  DatabaseConnections,
  DatabaseDefinition,
  DatabaseSettings,
  Found,
  Row,
  StatementValues,
} from "./definition.js";

/** What a statement has beside its text and its values. */
export interface QueryOptions {
  /** Most rows of the answer; 100 without it. */
  readonly maxRows?: number;
  /** Whether the statement may change something. */
  readonly write?: boolean;
  /** Columns whose exact numbers, which come as texts, are wanted as numbers. */
  readonly numbers?: readonly string[];
}

/** A database that handlers ask. What they began ends with the call that began it. */
export interface Database<Values extends StatementValues> {
  /**
   * Runs one statement in a transaction of its own, which changes nothing unless `write` says that it may.
   *
   * @param text the statement, with places for values: `$1` in Postgres, `:name` in SQLite
   * @param values the values; undefined is null
   * @throws ToolError where there is no answer
   */
  query(text: string, values?: Values, options?: QueryOptions): Promise<DatabaseAnswer>;
}

export type PostgresDatabase = Database<readonly unknown[]>;
export type SqliteDatabase = Database<Readonly<Record<string, unknown>>>;

/** A database as a running server has it, for all calls. */
interface OpenedDatabase {
  readonly name: string;
  readonly connections: DatabaseConnections;
  readonly masking: Masking;
}

/** What the definition of a server says of them; it has no variables where the manifest declares none. */
type DatabasesOfServer = Pick<
  ServerDefinition,
  "databases" | "openPostgres" | "openSqlite" | "traceStatements"
> & {
  readonly env?: readonly { readonly name: string; readonly secret: boolean }[];
};

const USUAL_MAX_ROWS = 100;

/** Makes the databases of a server. Nothing is connected to before it is asked for. */
export function createDatabases(
  definition: DatabasesOfServer,
  options: Pick<ServerOptions, "env" | "mock" | "root" | "databases">,
): BackendsOfKind {
  const { databases = [] } = definition;
  if (options.mock) {
    const check = async (): Promise<string[]> => [];
    return { bind: () => mocked(databases), check, close: async () => undefined };
  }
  let opened: readonly OpenedDatabase[] | undefined;
  const all = (): readonly OpenedDatabase[] => (opened ??= openAll(definition, options));
  return {
    bind: (call, stop = call.signal) =>
      Object.fromEntries(all().map((database) => [database.name, boundTo(database, stop)])),
    check: async () => (await Promise.all(all().map(checkOne))).flat(),
    close: async () => {
      await Promise.all((opened ?? []).map(({ connections }) => connections.close()));
    },
  };
}

/** What is wrong with a database for the time being. @throws SettingError where it must not be used */
async function checkOne({ connections }: OpenedDatabase): Promise<string[]> {
  try {
    await connections.check();
    return [];
  } catch (error) {
    if (error instanceof ToolError) return [error.message];
    throw error;
  }
}

function openAll(
  definition: DatabasesOfServer,
  { env, root, databases: others = {} }: Pick<ServerOptions, "env" | "root" | "databases">,
): OpenedDatabase[] {
  const { databases = [], openPostgres, openSqlite, traceStatements } = definition;
  const values = (env ?? {}) as Readonly<Record<string, unknown>>;
  const masking = maskingOf(definition, env);
  return databases.map((database) => {
    const open = database.type === "postgres" ? openPostgres : openSqlite;
    if (open === undefined) throw new Error(`the project cannot open ${database.type}`);
    const written = others[database.name] ?? placeOf(database, values);
    const place = database.type === "postgres" ? written : resolve(root, written);
    const settings: DatabaseSettings = {
      ...{ definition: database, place, masking },
      variable: typeof database.place === "string" ? "" : database.place.env,
    };
    const opened = open(settings);
    const connections = traceStatements?.(opened, database) ?? opened;
    return { name: database.name, connections, masking };
  });
}

/** Empty where the variable is not set. */
function placeOf({ place }: DatabaseDefinition, env: Readonly<Record<string, unknown>>): string {
  return typeof place === "string" ? place : String(env[place.env] ?? "");
}

function boundTo(
  { name, connections, masking }: OpenedDatabase,
  signal: StopSignal,
): Database<StatementValues> {
  return {
    query: async (text, values = [], options = {}) => {
      const { maxRows = USUAL_MAX_ROWS, write = false, numbers = [] } = options;
      expectWhole(values);
      const found = await connections.run({ text, values, maxRows, write }, signal);
      const rows = masking.json(withNumbers(name, found.rows, numbers)) as Found["rows"];
      return new DatabaseAnswer(name, { ...found, rows });
    },
  };
}

/** No database keeps the character NUL in a text: what stands behind it would be lost. */
function expectWhole(value: unknown): void {
  if (typeof value === "string" && value.includes("\0")) {
    throw new ToolError("A text for a database must not have the character NUL.");
  }
  if (typeof value === "object" && value !== null) Object.values(value).forEach(expectWhole);
}

/** The rows with numbers in these columns. @throws ToolError where a number would not be the same */
function withNumbers(
  database: string,
  rows: readonly Row[],
  columns: readonly string[],
): readonly Row[] {
  if (columns.length === 0) return rows;
  return rows.map((row) => {
    const numbers = columns
      .filter((column) => typeof row[column] === "string")
      .map((column) => [column, exactNumber(database, column, String(row[column]))]);
    return { ...row, ...(Object.fromEntries(numbers) as Row) };
  });
}

function exactNumber(database: string, column: string, text: string): number {
  const value = Number(text);
  const isExact = !/^-?\d+$/.test(text) || Number.isSafeInteger(value);
  if (Number.isFinite(value) && isExact) return value;
  throw new ToolError(
    `The database ${database} has a value in ${column} that no number of JSON is.`,
  );
}

function mocked(databases: readonly DatabaseDefinition[]): object {
  return Object.fromEntries(
    databases.map(({ name }) => {
      const query = async (): Promise<never> => {
        throw new MockModeError(`The database ${name} is not asked`);
      };
      return [name, { query }];
    }),
  );
}
