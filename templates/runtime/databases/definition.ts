import type { StopSignal } from "../engine/cancellation.js";
import type { Masking } from "../backends/masking.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    /** The databases that the project asks. */
    readonly databases?: readonly DatabaseDefinition[];
  }

  interface RuntimeParts {
    readonly openPostgres?: OpenDatabase;
    readonly openSqlite?: OpenDatabase;
    readonly traceStatements?: TraceStatements;
  }
}

declare module "../server/create-server.js" {
  interface ServerOptions {
    /** For tests: other places of databases, by their names: a URL, or the path of a file. */
    readonly databases?: Readonly<Record<string, string>> | undefined;
  }
}

/** An entry of the manifest's `databases`. Durations are in milliseconds. */
export interface DatabaseDefinition {
  readonly name: string;
  readonly type: "postgres" | "sqlite";
  /** Its URL, or the path of its file from the project's folder: a text, or the variable that holds it. */
  readonly place: string | { readonly env: string };
  /** Most statements at the same time. */
  readonly poolSize: number;
  /** For each statement. */
  readonly timeoutMs: number;
}

/** Makes the connections to a database; the first is opened at the first statement. */
export type OpenDatabase = (settings: DatabaseSettings) => DatabaseConnections;

/** The same connections, whose statements are spans of OpenTelemetry. */
export type TraceStatements = (
  connections: DatabaseConnections,
  database: DatabaseDefinition,
) => DatabaseConnections;

export interface DatabaseSettings {
  readonly definition: DatabaseDefinition;
  /** Its URL, or the absolute path of its file. */
  readonly place: string;
  /** The environment variable that says so; empty where none does. */
  readonly variable: string;
  readonly masking: Masking;
}

/** What a database does with statements. */
export interface DatabaseConnections {
  /**
   * Runs one statement in a transaction of its own.
   *
   * @throws ToolError with a text for the caller
   * @throws the reason of the signal
   */
  run(statement: Statement, signal: StopSignal): Promise<Found>;
  /**
   * Says at start whether the database can be asked.
   *
   * @throws SettingError where the server must not start
   * @throws ToolError where the database cannot be reached at the moment
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Statement {
  readonly text: string;
  /** A list where places have numbers, an object where they have names. */
  readonly values: StatementValues;
  /** Whether it may change something. */
  readonly write: boolean;
  readonly maxRows: number;
}

export type StatementValues = readonly unknown[] | Readonly<Record<string, unknown>>;

export type Row = Readonly<Record<string, unknown>>;

export interface Found {
  /** At most `maxRows`. */
  readonly rows: readonly Row[];
  /** Whether there were more. */
  readonly isCut: boolean;
  /** How many rows were changed; absent where the statement reads. */
  readonly changed?: number;
}
