import pg from "pg";
import { orStopped } from "../backends/stop-signal.js";
import { Cancellation, type StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import type {
  DatabaseConnections,
  DatabaseSettings,
  Statement,
  StatementResult,
} from "./definition.js";
import {
  notLetIn,
  refusal,
  SettingError,
  timeOut,
  tooLong,
  unreachable,
  withoutValues,
} from "./failures.js";
import { type Answer, LongAnswerError, RESET_COMMANDS, runStatement } from "./postgres-queries.js";
import { placeAt, type PostgresPlace } from "./postgres-tls.js";
import { expectRowSecurity } from "./postgres-row-security.js";
import { columnTypes } from "./postgres-types.js";

/** The longest time limit for opening a connection, and for each answer to what is no statement of a call, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** The SQLSTATE for a connection that is one too many, to the database or for the role. */
const TOO_MANY_CONNECTIONS = "53300";

/** Settings for the formats of values, which override those of the database and of the role. */
const SESSION = "-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601 -c bytea_output=hex";

/** Finds roles of the connection that can use files and programs of the database's machine in any transaction. */
const POWERFUL_ROLES = `
select distinct powerful.rolname as name, own.rolname as own, own.rolsuper as super
from pg_roles powerful, pg_roles own
where own.rolname in (session_user, current_user)
  and pg_has_role(own.oid, powerful.oid, 'member')
  and (powerful.rolsuper or powerful.rolname in
    ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
order by super desc, name`;

/**
 * The connections to a Postgres database. Each statement fails with a ToolError if the URL is not one of Postgres, and
 * with a SettingError if a file that it names cannot be read.
 */
export function openPostgres(settings: DatabaseSettings): DatabaseConnections {
  const { location, masking } = settings;
  const url = URL.canParse(location) ? new URL(location) : undefined;
  const description = describe(settings);
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    return unusable(new ToolError(`The url of ${description} must begin with postgres://.`));
  }
  masking.add(location);
  masking.add(
    new URLSearchParams(`password=${url.password.replaceAll("+", "%2B")}`).get("password") ?? "",
  );
  try {
    return new PostgresConnections(settings, placeAt(location, description, settings.root));
  } catch (error) {
    if (error instanceof SettingError) return unusable(error);
    throw error;
  }
}

/** The database in messages. */
function describe({ definition, variable }: DatabaseSettings): string {
  return `the database ${definition.name}${variable === "" ? "" : ` (${variable})`}`;
}

/** A database whose operations all fail. @param reason must not have the URL */
function unusable(reason: Error): DatabaseConnections {
  const refuse = async (): Promise<never> => {
    throw reason;
  };
  return { run: refuse, check: refuse, close: async () => undefined };
}

/** A pool of connections. A connection is reset before it is used again. */
class PostgresConnections implements DatabaseConnections {
  readonly #settings: DatabaseSettings;
  readonly #config: pg.ClientConfig;
  /** The time limit for opening a connection, checking it and resetting it, each, in milliseconds. */
  readonly #connectMs: number;
  readonly #pool: pg.Pool;
  /** Roles that the definition does not name, and that policies hold for; undefined is that of the connection. */
  readonly #checkedRoles = new Set<string | undefined>();
  /** Cancellations that have not ended. */
  readonly #cancellations = new Set<Promise<void>>();

  constructor(settings: DatabaseSettings, place: PostgresPlace) {
    const { definition } = settings;
    this.#settings = settings;
    this.#connectMs = Math.min(CONNECT_TIMEOUT_MS, definition.timeoutMs);
    this.#config = {
      ...place,
      connectionTimeoutMillis: this.#connectMs,
      statement_timeout: definition.timeoutMs,
      options: SESSION,
      keepAlive: true,
      types: columnTypes,
    };
    const config = this.#config;
    this.#pool = new pg.Pool({
      ...config,
      // Connections have the time limit. A statement that waits for one has that of its call.
      connectionTimeoutMillis: 0,
      Client: class extends pg.Client {
        constructor() {
          super(config);
        }
      },
      max: definition.poolSize,
      allowExitOnIdle: true,
      verify: (client, done) =>
        void this.#inTime(this.#expectSafeRoles(client)).then(() => done(), done),
    });
    // The pool itself removes an idle connection that breaks, and the statement fails on one that runs a statement.
    this.#pool.on("error", doNothing);
    this.#pool.on("connect", (client) => client.on("error", doNothing));
  }

  async run(statement: Statement, signal: StopSignal): Promise<StatementResult> {
    const client = await this.#connect(signal);
    const running = this.#runChecked(client, statement, signal);
    try {
      // The database ends slow statements, and the call ends those on a connection over which nothing comes any more.
      const { result, resetCommands } = await orStopped(running, signal);
      void this.#release(client, resetCommands);
      return result;
    } catch (error) {
      const isUnfinished = signal.reason !== undefined || error instanceof LongAnswerError;
      if (isUnfinished) this.#cancel(client, running);
      else void this.#release(client, RESET_COMMANDS);
      throw signal.reason ?? this.#failure(error, statement);
    }
  }

  /** A role that the definition does not name is checked at its first statement. */
  async #runChecked(
    client: pg.PoolClient,
    statement: Statement,
    signal: StopSignal,
  ): Promise<Answer> {
    const { callerRoles } = this.#settings.definition;
    const { role } = statement.settings ?? {};
    const isKnown = role === undefined ? callerRoles !== undefined : callerRoles?.includes(role);
    if (statement.settings !== undefined && isKnown !== true && !this.#checkedRoles.has(role)) {
      await expectRowSecurity(client, role === undefined ? [] : [role], this.#description);
      this.#checkedRoles.add(role);
    }
    return runStatement(client, statement, signal);
  }

  async check(): Promise<void> {
    const { idleCount, totalCount, waitingCount } = this.#pool;
    // That all connections are busy says nothing about the database, and that it lets in no more says that it is there.
    if (idleCount <= waitingCount && totalCount >= this.#settings.definition.poolSize) {
      return this.#connectBeside().catch((error: { code?: unknown }) => {
        if (error.code !== TOO_MANY_CONNECTIONS) throw this.#failure(error);
      });
    }
    const client = await this.#connect(new Cancellation());
    client.release();
  }

  async close(): Promise<void> {
    await Promise.all(this.#cancellations);
    await this.#pool.end();
  }

  async #connect(signal: StopSignal): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect();
    try {
      return await orStopped(connecting, signal);
    } catch (error) {
      void connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw signal.reason ?? this.#failure(error);
    }
  }

  /** Resets a connection and returns it to the pool. A connection that cannot be reset is closed. */
  async #release(client: pg.PoolClient, resetCommands: readonly string[]): Promise<void> {
    try {
      for (const command of resetCommands) await this.#inTime(client.query(command));
      client.release();
    } catch {
      client.release(true);
    }
  }

  /** Cancels the running statement over another connection, then closes the connection of the statement. */
  #cancel(client: pg.PoolClient, running: Promise<unknown>): void {
    const { processID } = client as pg.PoolClient & { readonly processID: number };
    const cancellation = this.#connectBeside("select pg_cancel_backend($1)", [processID])
      .catch(() => undefined)
      .then(() => client.release(true))
      .then(() => running.then(doNothing, doNothing))
      .finally(() => this.#cancellations.delete(cancellation));
    this.#cancellations.add(cancellation);
  }

  /** Opens a connection beside the pool, for one statement at most. It may be closed later. */
  async #connectBeside(text?: string, values?: readonly unknown[]): Promise<void> {
    const client = new pg.Client(this.#config);
    client.on("error", doNothing);
    try {
      await client.connect();
      if (text !== undefined) await this.#inTime(client.query(text, [...(values ?? [])]));
    } finally {
      // Its end would be waited for in vain if nothing comes any more.
      void client.end().catch(doNothing);
    }
  }

  /** Fails if there is no answer for long, to something other than the statement of a call. */
  #inTime<Value>(running: Promise<Value>): Promise<Value> {
    return orStopped(running, AbortSignal.timeout(this.#connectMs));
  }

  /** @throws SettingError if the server must not use the role of the connection, or one that its statements take */
  async #expectSafeRoles(client: pg.ClientBase): Promise<void> {
    await this.#expectWeakRole(client);
    const { callerRoles } = this.#settings.definition;
    if (callerRoles !== undefined) await expectRowSecurity(client, callerRoles, this.#description);
  }

  get #description(): string {
    return describe(this.#settings);
  }

  /** @throws SettingError if the role has rights that a read-only transaction does not take away */
  async #expectWeakRole(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<PowerfulRole>(POWERFUL_ROLES);
    const [role] = rows;
    if (role === undefined) return;
    const problem = role.super ? "is a superuser" : `is a member of ${role.name}`;
    throw new SettingError(
      `the role ${role.own} of ${this.#description} ${problem}, which may read and write ` +
        "files even where a transaction is read-only; connect as a role of its own: create role reader login; " +
        "grant select on all tables in schema public to reader",
    );
  }

  /** The error for the caller. @param statement the statement that failed; undefined while connecting */
  #failure(error: unknown, statement?: Statement): unknown {
    const { definition, masking } = this.#settings;
    if (error instanceof SettingError || error instanceof ToolError) return error;
    if (error instanceof LongAnswerError && statement) return tooLong(definition.name, statement);
    if (!(error instanceof pg.DatabaseError)) return unreachable(definition.name, error);
    const { code = "", message } = error;
    // The statement was cancelled by the time limit or by an administrator of the database.
    if (code === "57014") return timeOut(definition.name, definition.timeoutMs);
    if (/^(?:28|3D)/.test(code)) return notLetIn(definition.name, error);
    if (/^(?:08|53|57)/.test(code)) return unreachable(definition.name, error);
    return refusal(definition.name, masking.text(safeMessage(code, message, statement)));
  }
}

/** The message of an error without the values of the statement. */
function safeMessage(code: string, message: string, statement: Statement | undefined): string {
  // Class 22, data exceptions: the message quotes the value.
  if (code.startsWith("22")) return message.replace(/"[^]*"/, '"\u2026"');
  // Classes 23 and P0, constraints and functions: the message names a constraint, or a function's author wrote it.
  if (/^(?:23|P0)/.test(code) || statement === undefined) return message;
  const isUntyped = code === "42P18" || /\bunknown\b/.test(code.startsWith("42") ? message : "");
  const advice = isUntyped ? "; give the parameter a type in the statement, such as $1::text" : "";
  return `${withoutValues(message, statement)}${advice}`;
}

const doNothing = (): void => undefined;

interface PowerfulRole {
  readonly name: string;
  readonly own: string;
  readonly super: boolean;
}
