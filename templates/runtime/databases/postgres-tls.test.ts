import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../backends/masking.js";
import { LocalPostgres } from "../samples/local-postgres.js";
import { selfSignedCertificate } from "../suite/clients/self-signed-certificate.js";
import type { DatabaseConnections } from "./definition.js";
import { openPostgres } from "./postgres.js";

const unavailableReason = await LocalPostgres.whyWithout();
const test = suite("the files that the URL of a Postgres database names");
const folder = mkdtempSync(join(tmpdir(), "mcpwright-postgres-"));
const file = (name: string): string => join(folder, name);
execFileSync("mkfifo", [file("pipe")]);
test.after(() => rmSync(folder, { recursive: true }));

const NAMES = ["sslrootcert", "sslcert", "sslkey"];

function open(location: string): DatabaseConnections {
  const place = { env: "SHOP_DB" };
  return openPostgres({
    definition: { name: "shop", type: "postgres", place, poolSize: 1, timeoutMs: 5_000 },
    ...{ location, variable: "SHOP_DB", masking: new Masking(), root: process.cwd() },
  });
}

test("the files that a URL of Postgres names must be regular ones, or the server does not start", () => {
  // A process with little memory, which reads of none of them without an end.
  const program = `
    import { openPostgres } from ${JSON.stringify(new URL("./postgres.js", import.meta.url).href)};
    const definition = { name: "shop", type: "postgres", place: "", poolSize: 1, timeoutMs: 1000 };
    const masking = { add: () => undefined };
    for (const location of process.argv.slice(1)) {
      const settings = { definition, location, variable: "SHOP_DB", masking, root: "/" };
      await openPostgres(settings).check().catch(({ name, message }) => console.log(name, message));
    }`;
  const paths = [file("pipe"), "/dev/zero", folder, file("absent")];
  const named = NAMES.flatMap((name) => paths.map((path) => ({ name, path })));
  const urls = named.map(
    ({ name, path }) => `postgres://reader@127.0.0.1:1/shop?${name}=${encodeURIComponent(path)}`,
  );
  const flags = ["--max-old-space-size=200", "--input-type=module", "-e", program, ...urls];
  const options = { encoding: "utf8", timeout: 20_000, killSignal: "SIGKILL" } as const;
  const { stdout } = spawnSync(process.execPath, flags, options);
  const expected = named.map(({ name, path }) => {
    const reason = path.endsWith("absent") ? "" : ": it is not a regular file";
    return `SettingError the file that ${name} of the database shop (SHOP_DB) names cannot be read${reason}`;
  });
  assert.equal(stdout.trimEnd().split("\n"), expected);
});

/** A database with TLS, and files of its certificate and of another one. */
async function startWithTls(): Promise<LocalPostgres> {
  for (const name of ["server", "other"]) {
    const { cert, key } = selfSignedCertificate();
    writeFileSync(file(`${name}.crt`), cert);
    writeFileSync(file(`${name}.key`), key);
  }
  // Postgres takes only a key that nobody else can read.
  chmodSync(folder, 0o755);
  const postgres = await LocalPostgres.start();
  const copy = (ending: string): string => `install -m 600 ${file(`server.${ending}`)} .`;
  for (const statement of [
    `copy (select 1) to program '${copy("crt")} && ${copy("key")}'`,
    "alter system set ssl_ca_file = 'server.crt'",
    "alter system set ssl = on",
    "select pg_reload_conf()",
    "create role reader login",
  ]) {
    await postgres.execute(statement);
  }
  return postgres;
}

/** The subject of the certificate that the client of a connection has shown. */
async function shownBy(url: string): Promise<unknown> {
  const connections = open(url);
  const statement = {
    text: "select ssl, client_dn from pg_stat_ssl where pid = pg_backend_pid()",
    ...{ values: [], write: false, maxRows: 1, maxBytes: 1_000 },
  };
  try {
    const { rows } = await connections.run(statement, new AbortController().signal);
    return rows[0];
  } catch (error) {
    return (error as Error).message;
  } finally {
    await connections.close();
  }
}

const meaning = "mean what they mean to pg";
const checkMeaning = async (): Promise<void> => {
  const postgres = await startWithTls();
  try {
    const root = `sslrootcert=${file("server.crt")}`;
    const other = `sslrootcert=${file("other.crt")}`;
    const client = `sslcert=${file("server.crt")}&sslkey=${file("server.key")}`;
    const shown = { ssl: true, client_dn: "/CN=localhost" };
    const anonymous = { ssl: true, client_dn: null };
    const plain = { ssl: false, client_dn: null };
    const unreachable = "The database shop cannot be reached.";
    for (const [query, expected] of [
      [root, anonymous],
      [`${root}&ssl=true`, anonymous],
      [`${root}&${client}`, shown],
      [`${root}&sslmode=verify-full`, anonymous],
      [other, unreachable],
      [`${other}&sslmode=require`, unreachable],
      [`${other}&sslmode=disable`, plain],
      [`${other}&${client}&sslmode=no-verify`, shown],
      [`${root}&sslmode=verify-ca&uselibpqcompat=true`, anonymous],
      [`${root}&sslmode=require&uselibpqcompat=true`, anonymous],
      [`${other}&sslmode=require&uselibpqcompat=true`, unreachable],
      [`${client}&sslmode=require&uselibpqcompat=true`, shown],
      [
        `${client}&sslmode=verify-ca&uselibpqcompat=true`,
        "sslmode=verify-ca in the URL of a database needs sslrootcert",
      ],
    ] as const) {
      assert.equal(await shownBy(`${postgres.url("reader")}?${query}`), expected, query);
    }
  } finally {
    await postgres.close();
  }
};

if (unavailableReason === undefined) test(meaning, checkMeaning);
else {
  console.log(`skipped: ${meaning} (${unavailableReason})`);
  test.skip(meaning);
}

test.run();
