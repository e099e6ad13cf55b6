import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.js";

const run = promisify(execFile);

/** The folder where Debian installs the programs of each version. */
const VERSIONS = "/usr/lib/postgresql";

/** The user that the package of Postgres creates, because Postgres does not run as root. */
const USER = "postgres";

/** The only superuser of the cluster. */
const OWNER = "owner";

/** A cluster that no server has used yet. To make one takes a second of a processor, and to copy it hardly anything. */
let newCluster: Promise<string> | undefined;

/** A Postgres server for tests, with a new cluster in a temporary folder, on a free port of this machine. */
export class LocalPostgres {
  readonly #folder: string;
  readonly #port: number;
  readonly #stop: () => Promise<void>;

  private constructor(folder: string, port: number, stop: () => Promise<void>) {
    this.#folder = folder;
    this.#port = port;
    this.#stop = stop;
  }

  /** Why Postgres cannot run on this machine; undefined if it can. */
  static async whyWithout(): Promise<string | undefined> {
    return (await programs()) === undefined ? "Postgres is not installed" : undefined;
  }

  static async start(): Promise<LocalPostgres> {
    const bin = await programs();
    if (bin === undefined) throw new Error("Postgres is not installed");
    const folder = await mkdtemp(join(tmpdir(), "postgres-"));
    const identity = await identityOfPostgres();
    if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
    const options = { ...identity, cwd: folder };
    const data = join(folder, "data");
    newCluster ??= makeCluster(bin, identity);
    await run("cp", ["-R", await newCluster, data], options);
    const port = await freePort();
    const settings = [
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
      "fsync=off",
    ];
    const flags = [
      "-D",
      data,
      "-p",
      String(port),
      ...settings.flatMap((setting) => ["-c", setting]),
    ];
    const server = spawn(join(bin, "postgres"), flags, { ...options, stdio: "ignore" });
    const ended = once(server, "exit");
    const stop = async (): Promise<void> => {
      server.kill("SIGINT");
      await ended;
    };
    const started = new LocalPostgres(folder, port, stop);
    await started.#wait();
    return started;
  }

  /** The URL of a database for a role, by default the superuser. */
  url(role = OWNER, database = "postgres"): string {
    return `postgres://${role}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Runs statements as the superuser. */
  async execute(statements: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statements)).rows;
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    await this.#stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #wait(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const isUp = await this.execute("select 1").then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("Postgres has not started");
  }
}

/** Makes a cluster in a temporary folder that is there until this process ends. @returns its folder */
async function makeCluster(bin: string, identity: Identity | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postgres-new-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
  const data = join(folder, "data");
  const layout = ["-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync"];
  await run(join(bin, "initdb"), [...layout, "--locale=C.UTF-8"], { ...identity, cwd: folder });
  return data;
}

/** The folder with the programs of the newest version; undefined if none is installed. */
async function programs(): Promise<string | undefined> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  return newest === undefined ? undefined : join(VERSIONS, newest, "bin");
}

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** The ids of the user of Postgres; undefined if this process is not root. */
async function identityOfPostgres(): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, USER])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}
