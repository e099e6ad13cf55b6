import pg from "pg";
import { orStopped } from "../backends/stop-signal.js";
import { Cancellation, type StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import type { DatabaseConnections, DatabaseSettings, Found, Statement } from "./definition.js";
import {
  notLetIn,
  refusal,
  SettingError,
  timeOut,
  unreachable,
  withoutValues,
} from "./failures.js";
import { ask, LEAVING } from "./postgres-queries.js";
import { columnTypes } from "./postgres-types.js";

/** Time to make a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** How values are written, whatever the database or the role say. */
const SESSION = "-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601 -c bytea_output=hex";

/** Roles of the connection that can reach files and programs of the database's machine, whatever the transaction. */
const POWERFUL_ROLES = `
select distinct powerful.rolname as name, own.rolname as own, own.rolsuper as super
from pg_roles powerful, pg_roles own
where own.rolname in (session_user, current_user)
  and pg_has_role(own.oid, powerful.oid, 'member')
  and (powerful.rolsuper or powerful.rolname in
    ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
order by super desc, name`;

export function openPostgres(settings: DatabaseSettings): DatabaseConnections {
  const { definition, place, variable, masking } = settings;
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    const named = variable === "" ? "" : ` (${variable})`;
    return unusable(
      `The url of the database ${definition.name}${named} must begin with postgres://.`,
    );
  }
  masking.add(place);
  masking.add(
    new URLSearchParams(`password=${url.password.replaceAll("+", "%2B")}`).get("password") ?? "",
  );
  return new PostgresConnections(settings);
}

/** A database that cannot be asked, for a reason that never has its url. */
function unusable(reason: string): DatabaseConnections {
  const refuse = async (): Promise<never> => {
    throw new ToolError(reason);
  };
  return { run: refuse, check: refuse, close: async () => undefined };
}

/** A pool of connections, each of which is given back as it was. */
class PostgresConnections implements DatabaseConnections {
  readonly #settings: DatabaseSettings;
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;
  /** Cancellations that are under way. */
  readonly #cancelling = new Set<Promise<void>>();

  constructor(settings: DatabaseSettings) {
    const { definition, place } = settings;
    this.#settings = settings;
    this.#config = {
      connectionString: place,
      connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, definition.timeoutMs),
      statement_timeout: definition.timeoutMs,
      options: SESSION,
      keepAlive: true,
      types: columnTypes,
    };
    this.#pool = new pg.Pool({
      ...this.#config,
      max: definition.poolSize,
      allowExitOnIdle: true,
      verify: (client, done) => void this.#expectWeakRole(client).then(() => done(), done),
    });
    // The pool leaves a connection out that breaks while nobody uses it.
    this.#pool.on("error", () => undefined);
  }

  async run(statement: Statement, signal: StopSignal): Promise<Found> {
    const client = await this.#connect(signal);
    const asked = ask(client, statement);
    try {
      const { found, leaving } = await orStopped(asked, signal);
      void this.#giveBack(client, leaving);
      return found;
    } catch (error) {
      if (signal.reason !== undefined) this.#cancel(client, asked);
      else void this.#giveBack(client, LEAVING);
      throw signal.reason ?? this.#failure(error, statement);
    }
  }

  async check(): Promise<void> {
    const client = await this.#connect(new Cancellation());
    client.release();
  }

  async close(): Promise<void> {
    await Promise.all(this.#cancelling);
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

  /** Leaves nothing of a call for the next one. */
  async #giveBack(client: pg.PoolClient, leaving: readonly string[]): Promise<void> {
    try {
      for (const command of leaving) await client.query(command);
      client.release();
    } catch {
      client.release(true);
    }
  }

  /** Tells the database to stop, over another connection; this one is not used again. */
  #cancel(client: pg.PoolClient, running: Promise<unknown>): void {
    const { processID } = client as pg.PoolClient & { readonly processID: number };
    const cancelling = this.#stop(processID)
      .catch(() => undefined)
      .then(() => client.release(true))
      .then(() => running.then(doNothing, doNothing))
      .finally(() => this.#cancelling.delete(cancelling));
    this.#cancelling.add(cancelling);
  }

  async #stop(processID: number): Promise<void> {
    const client = new pg.Client(this.#config);
    client.on("error", doNothing);
    try {
      await client.connect();
      await client.query("select pg_cancel_backend($1)", [processID]);
    } finally {
      await client.end();
    }
  }

  /** @throws SettingError where the role may do what no transaction forbids */
  async #expectWeakRole(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<PowerfulRole>(POWERFUL_ROLES);
    const [found] = rows;
    if (found === undefined) return;
    const { definition, variable } = this.#settings;
    const place = variable === "" ? "" : ` (${variable})`;
    const problem = found.super ? "is a superuser" : `is a member of ${found.name}`;
    throw new SettingError(
      `the role ${found.own} of the database ${definition.name}${place} ${problem}, which may read and write ` +
        "files even where a transaction is read-only; connect as a role of its own: create role reader login; " +
        "grant select on all tables in schema public to reader",
    );
  }

  /** @param statement the one that failed; undefined where there was none yet */
  #failure(error: unknown, statement?: Statement): unknown {
    const { definition, masking } = this.#settings;
    if (error instanceof SettingError || error instanceof ToolError) return error;
    if (!(error instanceof pg.DatabaseError)) return unreachable(definition.name);
    const { code = "", message } = error;
    // Statements that were cancelled, by the time limit or by whoever runs the database.
    if (code === "57014") return timeOut(definition.name, definition.timeoutMs);
    if (/^(?:28|3D)/.test(code)) return notLetIn(definition.name);
    if (/^(?:08|53|57)/.test(code)) return unreachable(definition.name);
    return refusal(definition.name, masking.text(wordsOf(code, message, statement)));
  }
}

/** The message of an error without values. */
function wordsOf(code: string, message: string, statement: Statement | undefined): string {
  // Errors of data repeat the data.
  if (code.startsWith("22")) return message.replace(/"[^]*"/, '"\u2026"');
  // Those of constraints name what they are about, and functions say what their authors want.
  if (/^(?:23|P0)/.test(code) || statement === undefined) return message;
  return withoutValues(message, statement);
}

const doNothing = (): void => undefined;

interface PowerfulRole {
  readonly name: string;
  readonly own: string;
  readonly super: boolean;
}
