import { rm } from "node:fs/promises";
import { Agent } from "node:http";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ASK_UNREAD, readAnswer, type Ask } from "./unread-answers/clients.js";
import { LENGTHS, makeUnreadProject } from "./unread-answers/project.js";
import { startUnreadServer, type UnreadServer } from "./unread-answers/server.js";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { NODE_VERSIONS, nodeFolder } from "../../harness/runner/node-programs.js";

/**
 * Measures what answers cost that nobody reads: 100 plain sockets of one address connect, ask for 15 to 20 MB each
 * and never read. Meanwhile an honest client of the same address makes short calls and reads long answers. Prints
 * the most memory of the server's process and the honest client's times, for each origin and transport.
 *
 *   node dist/generator/testing/lab/measure/measure-unread.js [--case PART-OF-NAME] [start of a version of Node.js …]
 */
const ATTACKERS = 100;

/** The time between two connections of attackers, in milliseconds. */
const APART_MS = 15;

/** How long the honest client goes on after the last attacker has connected, in milliseconds. */
const AFTER_MS = 4_000;

/** Most memory of the process, in bytes. */
const MOST_BYTES = 500_000_000;

const call = (name: string, length: number): Ask => ({
  method: "tools/call",
  params: { name, arguments: { length } },
});
const read = (uri: string): Ask => ({ method: "resources/read", params: { uri } });

const ORIGINS: Readonly<Record<string, Ask>> = {
  "file 15 MB": read("unread://short"),
  "file 16.7 MB, base64": read("unread://largest"),
  "directory 15 MB": read("files://short.txt"),
  "directory 16.7 MB, base64": read("files://largest.bin"),
  "tool 15 MB": call("burst", LENGTHS.short),
  "tool 20 MB": call("burst", LENGTHS.long),
  "slow tool 20 MB": call("later", LENGTHS.long),
  "upstream 15 MB, resource": read("unread://fetched"),
  "upstream 16.7 MB, tool": call("fetched", LENGTHS.largest),
  "program 20 MB": { method: "tools/call", params: { name: "printed", arguments: {} } },
  "MCP server 20 MB": call("passed_on", LENGTHS.long),
  "SQLite 15 MB": call("stored", LENGTHS.short),
  "Postgres 15 MB": call("stored", LENGTHS.short),
};

/** Node.js 20 has no SQLite, and not every machine has Postgres. */
async function isPossible(origin: string, version: string): Promise<boolean> {
  if (origin.startsWith("Postgres")) return (await LocalPostgres.whyWithout()) === undefined;
  return !origin.startsWith("SQLite") || !version.replace("v", "").startsWith("20.");
}

/** The origins that are tried over every transport; the others over the first one only. */
const EVERYWHERE = ["directory 16.7 MB, base64", "slow tool 20 MB", "upstream 16.7 MB, tool"];

/** What the honest client of the same address has seen: times in milliseconds. */
interface Honest {
  readonly short: number[];
  /** Long answers on a connection that is kept, and each on a new one. */
  readonly long: number[];
  readonly fresh: number[];
  readonly failures: string[];
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
}

/** Repeats some work, and notes how long each time takes, until `isOver`. */
async function repeat(
  isOver: () => boolean,
  { times, failures }: { readonly times: number[]; readonly failures: string[] },
  pauseMs: number,
  work: () => Promise<void>,
): Promise<void> {
  do {
    const started = performance.now();
    await work().catch((error: Error) => failures.push(error.message));
    times.push(performance.now() - started);
    await delay(pauseMs);
  } while (!isOver());
}

async function callHonestly(port: number, ask: Ask, isOver: () => boolean): Promise<Honest> {
  const honest: Honest = { short: [], long: [], fresh: [], failures: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { failures } = honest;
  const echo: Ask = { method: "tools/call", params: { name: "echo", arguments: { text: "hi" } } };
  const expect = async (wanted: Ask, least: number, kept?: Agent): Promise<void> => {
    const { status, bytes, text } = await readAnswer(port, wanted, kept);
    if (status !== 200 || bytes < least) throw new Error(`${status} ${text.slice(0, 200)}`);
  };
  await Promise.all([
    repeat(isOver, { times: honest.short, failures }, 10, () => expect(echo, 20)),
    repeat(isOver, { times: honest.long, failures }, 250, () => expect(ask, LENGTHS.short, agent)),
    repeat(isOver, { times: honest.fresh, failures }, 250, () => expect(ask, LENGTHS.short)),
  ]);
  agent.destroy();
  return honest;
}

async function measure(server: UnreadServer, transport: string, ask: Ask): Promise<Honest> {
  const askUnread = ASK_UNREAD[transport]!;
  let isOver = false;
  const honest = callHonestly(server.port, ask, () => isOver);
  const asked: Promise<() => void>[] = [];
  for (let count = 0; count < ATTACKERS; count++) {
    asked.push(askUnread(server.port, ask).catch(() => () => undefined));
    await delay(APART_MS);
  }
  await delay(AFTER_MS);
  isOver = true;
  const seen = await honest;
  for (const end of asked) void end.then((close) => close());
  return seen;
}

async function measureCase(
  { folder, env }: MadeProject,
  version: string,
  transport: string,
  origin: string,
): Promise<void> {
  const node =
    version === process.version
      ? process.execPath
      : join(await nodeFolder(version as never), "node");
  const server = await startUnreadServer(folder, node, env);
  try {
    const { short, long, fresh, failures } = await measure(server, transport, ORIGINS[origin]!);
    const peak = await server.peakBytes();
    const isGood = peak < MOST_BYTES && failures.length === 0;
    if (!isGood) process.exitCode = 1;
    const cells = [
      ...[version, origin, transport, `${Math.round(peak / 1e6)} MB`],
      `${short.length}: p50 ${percentile(short, 0.5)}, p99 ${percentile(short, 0.99)}, most ${percentile(short, 1)} ms`,
      `${long.length}: p50 ${percentile(long, 0.5)}, most ${percentile(long, 1)} ms`,
      `${fresh.length}: p50 ${percentile(fresh, 0.5)}, most ${percentile(fresh, 1)} ms`,
      isGood ? "held" : `NOT HELD ${[...new Set(failures)].slice(0, 3).join("; ")}`,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  } finally {
    await server.stop();
  }
}

/** A project, and the variables of its environment. */
interface MadeProject {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  close?(): Promise<void>;
}

/** The projects for origins and transports, which are made when they are first needed. */
class Projects {
  readonly #made = new Map<string, Promise<MadeProject>>();

  of(origin: string, transport: string): Promise<MadeProject> {
    const [kind = ""] = origin.split(" ");
    const name = transport === "of a session" ? transport : kind;
    return this.#madeOnce(name in MAKE ? name : "usual");
  }

  #madeOnce(name: string): Promise<MadeProject> {
    const made = this.#made.get(name) ?? MAKE[name]!();
    this.#made.set(name, made);
    return made;
  }

  async remove(): Promise<void> {
    for (const made of this.#made.values()) {
      const { folder, close } = await made;
      await rm(dirname(folder), { recursive: true, force: true });
      await close?.();
    }
  }
}

const MAKE: Readonly<Record<string, () => Promise<MadeProject>>> = {
  usual: async () => ({ folder: await makeUnreadProject() }),
  "of a session": async () => ({ folder: await makeUnreadProject({ sessions: true }) }),
  SQLite: async () => ({ folder: await makeUnreadProject({ database: "sqlite" }) }),
  Postgres: async () => {
    const postgres = await LocalPostgres.start();
    await postgres.execute("create role reader login");
    return {
      folder: await makeUnreadProject({ database: "postgres" }),
      env: { POSTGRES_URL: postgres.url("reader") },
      close: () => postgres.close(),
    };
  },
};

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const at = args.indexOf("--case");
  const [, part = ""] = at === -1 ? [] : args.splice(at, 2);
  const versions = NODE_VERSIONS.filter((version) =>
    args.some((start) => version.startsWith(start)),
  );
  const projects = new Projects();
  console.log(
    "| Node.js | origin | transport | most memory | short calls | long, kept connection | long, new connections | |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  const transports = Object.keys(ASK_UNREAD);
  for (const version of versions.length === 0 ? [process.version] : versions) {
    for (const transport of transports) {
      const isFirst = transport === transports[0];
      for (const origin of isFirst ? Object.keys(ORIGINS) : EVERYWHERE) {
        if (!`${transport} ${origin}`.includes(part)) continue;
        if (!(await isPossible(origin, version))) continue;
        await measureCase(await projects.of(origin, transport), version, transport, origin);
      }
    }
  }
  await projects.remove();
}

await main();
