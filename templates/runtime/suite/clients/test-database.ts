import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeAt, type PostgresPlace } from "../../databases/postgres-tls.js";

/** The settings of a database in the manifest that tests need. */
export interface DatabaseContract {
  readonly name: string;
  readonly type: "postgres" | "sqlite";
  /** The variable with the URL of a Postgres database for tests. */
  readonly variable: string;
  /** The path of the statements that run first, relative to the project's folder. */
  readonly setup?: string;
}

/** The part of `node:sqlite` that tests use. The oldest supported Node.js does not have it. */
interface Sqlite {
  readonly DatabaseSync: new (path: string) => { exec(statements: string): void; close(): void };
}

/** The part of `pg` that tests use. */
interface Postgres {
  readonly Client: new (config: PostgresPlace) => {
    connect(): Promise<unknown>;
    query(statements: string): Promise<unknown>;
    end(): Promise<void>;
  };
}

/** A database that a test may change: a new file of SQLite, or the Postgres database of a variable. */
export class TestDatabase {
  readonly #contract: DatabaseContract;
  readonly #place: string;
  readonly #folder: string | undefined;

  private constructor(contract: DatabaseContract, place: string, folder?: string) {
    this.#contract = contract;
    this.#place = place;
    this.#folder = folder;
  }

  /** Makes the database and runs the statements of `testSetup`. @throws MissingServicesError if it is not available */
  static async open(contract: DatabaseContract): Promise<TestDatabase> {
    const { setup } = contract;
    if (setup === undefined)
      throw new MissingDatabase(`databases.${contract.name} has no testSetup`);
    const statements = await readFile(setup, "utf8").catch(() => {
      throw new MissingDatabase(`write ${setup}, the testSetup of databases.${contract.name}`);
    });
    return contract.type === "postgres"
      ? TestDatabase.#openPostgres(contract, statements)
      : TestDatabase.#openSqlite(contract, statements);
  }

  static async #openPostgres(
    contract: DatabaseContract,
    statements: string,
  ): Promise<TestDatabase> {
    const url = process.env[contract.variable];
    if (url === undefined || url === "") {
      throw new MissingDatabase(`set ${contract.variable} to the URL of a database of the tests`);
    }
    // Only projects with a Postgres database have the package.
    const { default: pg } = (await import("pg" as string)) as { readonly default: Postgres };
    const client = new pg.Client(placeAt(url, contract.variable, process.cwd()));
    await client.connect();
    try {
      await client.query(statements);
    } finally {
      await client.end();
    }
    return new TestDatabase(contract, url);
  }

  static async #openSqlite(contract: DatabaseContract, statements: string): Promise<TestDatabase> {
    const sqlite = process.getBuiltinModule("node:sqlite") as Sqlite | undefined;
    if (sqlite === undefined) throw new MissingDatabase("SQLite needs Node.js 22.13 or newer");
    const folder = await mkdtemp(join(tmpdir(), "database-"));
    const file = join(folder, "test.db");
    await writeFile(file, "");
    const database = new sqlite.DatabaseSync(file);
    database.exec(statements);
    database.close();
    return new TestDatabase(contract, file, folder);
  }

  /** The option of `createServer` and `createTestContext` that uses it. */
  places(): Record<string, string> {
    return { [this.#contract.name]: this.#place };
  }

  /** Removes a database of SQLite. One of Postgres stays as it is. */
  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Thrown if the database is not available. Tests that need it are then skipped. */
class MissingDatabase extends Error {
  override readonly name = "MissingServicesError";
}
