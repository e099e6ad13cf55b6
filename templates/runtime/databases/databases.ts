import { resolve } from "node:path";
import type { StopSignal } from "../engine/cancellation.js";
import { ProtocolError, RequestRefused, SettingError, ToolError } from "../engine/errors.js";
import { defaultAnswerBytes } from "../engine/limits.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { BackendsOfKind, BoundCall } from "../backends/backends.js";
import type { ServerOptions } from "../server/create-server.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import { maskingOf, type Masking } from "../backends/masking.js";
import { MockModeError } from "../backends/mock-mode.js";
import { isReplacedByUpdates } from "../start/project-root.js";
import { DatabaseAnswer } from "./answer.js";
import type {
  DatabaseConnections,
  DatabaseDefinition,
  DatabaseSettings,
  Row,
  StatementValues,
} from "./definition.js";
import { logFailure } from "./failures.js";

/** Options of one query. */
export interface QueryOptions {
  /** The maximum number of rows in the result; 100 by default. */
  readonly maxRows?: number;
  /** The maximum number of bytes of the rows, as the database sends them; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Whether the statement may change data; false by default. */
  readonly write?: boolean;
  /**
   * Columns whose exact numbers, which the database returns as text, are converted to numbers. Where one would lose
   * digits, `rows` and `row` of the answer fail.
   */
  readonly numbers?: readonly string[];
}

/** Options of one query of Postgres. */
export interface PostgresQueryOptions extends QueryOptions {
  /** The role of the statement's transaction. A caller whose role is none of `oneOf` is refused. */
  readonly role?: { readonly name: string; readonly oneOf: readonly string[] };
  /** Settings of the statement's transaction, which policies read: `current_setting('app.user')`. */
  readonly set?: Readonly<Record<`${string}.${string}`, string | number | boolean>>;
}

/** A database as handlers use it. A query that still runs when its call is cancelled is stopped. */
export interface Database<Values extends StatementValues, Options = QueryOptions> {
  /**
   * Runs one statement in its own transaction, which is read-only unless `write` is true.
   *
   * @param text the statement, with placeholders for values: `$1` in Postgres, `:name` in SQLite
   * @param values the values of the placeholders; undefined is sent as null
   * @throws ToolError if the database refuses the statement, cannot be reached, takes too long, or has an answer of
   *   more bytes than `maxBytes`. Nothing is changed then, except perhaps where the connection broke or the call ended
   *   during the commit.
   */
  query(text: string, values?: Values, options?: Options): Promise<DatabaseAnswer>;
}

/** A database of Postgres. Its placeholders are `$1`, `$2` and so on, and its values a list. */
export type PostgresDatabase = Database<readonly unknown[], PostgresQueryOptions>;
/** A database of SQLite. Its placeholders are `:name`, and its values an object with these names. */
export type SqliteDatabase = Database<Readonly<Record<string, unknown>>>;

/** The connections to one database, which all calls share. */
interface OpenedDatabase {
  readonly name: string;
  readonly connections: DatabaseConnections;
  readonly masking: Masking;
  /** Set if changes would be lost with the next version: the variable with the path; empty if there is none. */
  readonly lostPlace?: string;
}

/** The part of a server's definition about databases; `env` is absent if the manifest declares no variables. */
type DatabasesOfServer = Pick<
  ServerDefinition,
  "databases" | "openPostgres" | "openSqlite" | "traceStatements"
> & {
  readonly env?: readonly { readonly name: string; readonly secret: boolean }[];
};

const DEFAULT_MAX_ROWS = 100;

/** Creates the databases of a server. A connection is opened only when a statement or a check needs it. */
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
  const openOnce = (): readonly OpenedDatabase[] => (opened ??= openAll(definition, options));
  return {
    bind: (call, stop = call.signal, memory) =>
      Object.fromEntries(
        openOnce().map((database) => [database.name, boundTo(database, call, stop, memory)]),
      ),
    check: async () => (await Promise.all(openOnce().map(checkOne))).flat(),
    close: async () => {
      await Promise.all((opened ?? []).map(({ connections }) => connections.close()));
    },
  };
}

/** The temporary problems of a database. @throws SettingError if the server must not start with its settings */
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
  { env, root, databases: replacements = {} }: Pick<ServerOptions, "env" | "root" | "databases">,
): OpenedDatabase[] {
  const { databases = [], openPostgres, openSqlite, traceStatements } = definition;
  const variables = (env ?? {}) as Readonly<Record<string, unknown>>;
  const masking = maskingOf(definition, env);
  return databases.map((database) => {
    const open = database.type === "postgres" ? openPostgres : openSqlite;
    if (open === undefined) throw new Error(`the project cannot open ${database.type}`);
    const urlOrPath = replacements[database.name] ?? urlOrPathOf(database, variables);
    const isFile = database.type === "sqlite";
    const location = isFile ? resolve(root, urlOrPath) : urlOrPath;
    const settings: DatabaseSettings = {
      ...{ definition: database, location, masking, root },
      variable: typeof database.place === "string" ? "" : database.place.env,
    };
    const connections = urlOrPath === "" ? withoutPlace(settings) : open(settings);
    const traced = traceStatements?.(connections, database);
    const isReplaced = isFile && isReplacedByUpdates(root, urlOrPath);
    return {
      ...{ name: database.name, connections: traced ?? connections, masking },
      ...(isReplaced && { lostPlace: settings.variable }),
    };
  });
}

/** A database of which nobody has said where it is: the server does not start, and statements fail. */
function withoutPlace({ definition: { name }, variable }: DatabaseSettings): DatabaseConnections {
  const problem = `The place of the database ${name} has no value: ${variable} is not set.`;
  return {
    run: async () => {
      throw new ToolError(problem);
    },
    check: async () => {
      throw new SettingError(problem);
    },
    close: async () => undefined,
  };
}

/** The URL or path of a database; empty if its variable is not set. */
function urlOrPathOf(
  { place }: DatabaseDefinition,
  env: Readonly<Record<string, unknown>>,
): string {
  return typeof place === "string" ? place : String(env[place.env] ?? "");
}

function boundTo(
  { name, connections, masking, lostPlace }: OpenedDatabase,
  { log }: BoundCall,
  signal: StopSignal,
  memory: AnswerMemory | undefined,
): Database<StatementValues, PostgresQueryOptions> {
  return {
    query: async (text, values = [], options = {}) => {
      const { maxRows = DEFAULT_MAX_ROWS, maxBytes = defaultAnswerBytes.backend } = options;
      const { write = false, numbers = [] } = options;
      expectNoNul(values);
      if (write && lostPlace !== undefined) throw lostChange(name, lostPlace);
      const settings = settingsOf(options);
      const statement = {
        ...{ text, values, maxRows, maxBytes, write },
        ...(settings && { settings }),
        ...(memory && { memory }),
      };
      const result = await connections.run(statement, signal).catch((error: unknown) => {
        logFailure(log, { name, masking }, error);
        throw error;
      });
      const { rows, inexact } = withNumbers(result.rows, numbers);
      const masked = masking.json(rows) as readonly Row[];
      return new DatabaseAnswer(name, { ...result, rows: masked }, inexact);
    },
  };
}

/** The settings of the statement's transaction; undefined if it has none. @throws RequestRefused for another role */
function settingsOf({
  role,
  set,
}: PostgresQueryOptions): Readonly<Record<string, string>> | undefined {
  if (role === undefined && set === undefined) return undefined;
  if (role !== undefined && !role.oneOf.includes(role.name)) {
    const reason = `This needs one of the roles ${role.oneOf.join(", ")}, and the caller has none of them`;
    throw new RequestRefused(new ProtocolError(403, reason));
  }
  const values = Object.entries(set ?? {}).map(([name, value]) => [name, String(value)] as const);
  expectNoNul(values);
  return { ...Object.fromEntries(values), ...(role && { role: role.name }) };
}

/** Says what to set, so that changes outlive the version of the server. */
function lostChange(name: string, variable: string): ToolError {
  const setting = variable === "" ? "its `file` in the manifest" : variable;
  return new ToolError(
    `The database ${name} is not changed, since the next version of the server replaces its file. Set ${setting} to an absolute path.`,
  );
}

/** Refuses texts with the character NUL: a database would lose what follows it. */
function expectNoNul(value: unknown): void {
  if (typeof value === "string" && value.includes("\0")) {
    throw new ToolError("A text for a database must not have the character NUL.");
  }
  if (typeof value === "object" && value !== null) Object.values(value).forEach(expectNoNul);
}

/**
 * The rows with numbers instead of texts in these columns. A text stays where the number would lose digits, and
 * `inexact` is the column of the first one.
 */
function withNumbers(
  rows: readonly Row[],
  columns: readonly string[],
): { readonly rows: readonly Row[]; readonly inexact?: string } {
  if (columns.length === 0) return { rows };
  let inexact: string | undefined;
  const converted = rows.map((row) => {
    const numbers = columns
      .filter((column) => typeof row[column] === "string")
      .map((column) => {
        const number = exactNumber(String(row[column]));
        if (number === undefined) inexact ??= column;
        return [column, number ?? row[column]];
      });
    return { ...row, ...(Object.fromEntries(numbers) as Row) };
  });
  return { rows: converted, ...(inexact !== undefined && { inexact }) };
}

/** The number that a text is; undefined if no number of JSON is the same. */
function exactNumber(text: string): number | undefined {
  const value = Number(text);
  const isExact = !/^-?\d+$/.test(text) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : undefined;
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
