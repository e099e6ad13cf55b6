import type { AnswerMemory } from "../context/answer-memory.js";
import type { StopSignal } from "../engine/cancellation.js";
import type { Masking } from "../backends/masking.js";

/** An entry of the manifest's `databases`. Durations are in milliseconds. */
export interface DatabaseDefinition {
  /** The name by which handlers find it in `ctx.databases`. */
  readonly name: string;
  /** The kind of database. */
  readonly type: "postgres" | "sqlite";
  /** Its URL, or the path of its file from the project's folder: a text, or the environment variable with it. */
  readonly place: string | { readonly env: string };
  /** The maximum number of statements that run at the same time. */
  readonly poolSize: number;
  /** The time limit of each statement. */
  readonly timeoutMs: number;
  /**
   * For Postgres: the roles that statements take for their callers, beside that of the connection. Absent if no statement
   * acts for its caller.
   */
  readonly callerRoles?: readonly string[];
}

/** Prepares the connections to a database; none is opened before the first statement or check. */
export type OpenDatabase = (settings: DatabaseSettings) => DatabaseConnections;

/** Wraps connections so that each statement is a span of OpenTelemetry. */
export type TraceStatements = (
  connections: DatabaseConnections,
  database: DatabaseDefinition,
) => DatabaseConnections;

export interface DatabaseSettings {
  readonly definition: DatabaseDefinition;
  /** Its URL, or the absolute path of its file. */
  readonly location: string;
  /** The project's folder, where relative paths of files that a URL names begin. */
  readonly root: string;
  /** The name of the environment variable with its URL or path; empty if there is none. */
  readonly variable: string;
  readonly masking: Masking;
}

/** The connections to one database. */
export interface DatabaseConnections {
  /**
   * Runs one statement in its own transaction. An answer of more bytes than `maxBytes` is an error: the statement is
   * ended as soon as they have been counted, and rolled back.
   *
   * @throws ToolError with a message for the caller
   * @throws the reason of the signal if it stops the statement
   */
  run(statement: Statement, signal: StopSignal): Promise<StatementResult>;
  /**
   * Checks at the start of the server whether the database can be used.
   *
   * @throws SettingError if the server must not start with these settings
   * @throws ToolError if the database cannot be reached at the moment
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Statement {
  readonly text: string;
  /** A list for numbered placeholders (Postgres), an object for named ones (SQLite). */
  readonly values: StatementValues;
  /** Whether it may change data. */
  readonly write: boolean;
  readonly maxRows: number;
  /**
   * The maximum number of bytes of the values of all rows, as the database sends them. Each value, also null, counts
   * four bytes more than its text, as in the protocol of Postgres.
   */
  readonly maxBytes: number;
  /** For Postgres: settings for the transaction of the statement alone, such as `role`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The memory that is reserved before a long answer is received; absent if that is not limited. */
  readonly memory?: Pick<AnswerMemory, "foresee"> | undefined;
}

export type StatementValues = readonly unknown[] | Readonly<Record<string, unknown>>;

export type Row = Readonly<Record<string, unknown>>;

export interface StatementResult {
  /** At most `maxRows` rows. */
  readonly rows: readonly Row[];
  /** Whether there are more rows than `maxRows`. */
  readonly isCut: boolean;
  /** The number of changed rows; absent if the statement reads. */
  readonly changed?: number;
}
