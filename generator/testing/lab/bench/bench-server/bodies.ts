import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalPostgres } from "../../../../../templates/runtime/samples/local-postgres.js";
import { httpBody, makeBodyProject, sqlBody, type ComparedBody } from "./body-project.js";
import type { BenchOptions } from "./options.js";
import { takeTurns, type MeasuredServer, type TurnOptions } from "./turns.js";

export interface BodyComparison {
  readonly title: string;
  readonly tools: readonly MeasuredServer[];
}

/** A service in a process of its own that answers every request with the same forecast. */
const service = `data:text/javascript,${encodeURIComponent(`
import { createServer } from "node:http";
const days = Array.from({ length: 3 }, (_, day) => ({ day, high: 20 + day }));
const body = JSON.stringify({ city: "Berlin", days });
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
const server = createServer((request, response) => response.writeHead(200, headers).end(body));
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
`)}`;

const TABLE = `
create role bench login;
create table forecast (city text, day int, high int, primary key (city, day));
insert into forecast select 'Berlin', day, 20 + day from generate_series(0, 9) day;
grant select on forecast to bench`;

/** Compares bodies of the manifest with the same calls by hand, side by side in one project. */
export async function compareBodies(
  { rounds, turnMs }: BenchOptions,
  filler: number,
  connections: number,
): Promise<BodyComparison[]> {
  const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-bodies-"));
  const upstream = fork("-", [], { execArgv: ["--input-type=module", "--import", service] });
  let postgres: LocalPostgres | undefined;
  try {
    const [port] = (await once(upstream, "message")) as [number];
    const hasDatabase = (await LocalPostgres.whyWithout()) === undefined;
    if (hasDatabase) {
      postgres = await LocalPostgres.start();
      await postgres.execute(TABLE);
    }
    const environment = {
      API: `http://127.0.0.1:${port}`,
      DB: postgres?.url("bench") ?? "postgres://127.0.0.1/none",
    };
    const folder = await makeBodyProject(root, filler);
    const compared = hasDatabase ? [httpBody, sqlBody] : [httpBody];
    const comparisons: BodyComparison[] = [];
    for (const body of compared) {
      const tools = await compareTools(body, { folder, environment, rounds, turnMs, connections });
      comparisons.push({ title: body.title, tools });
    }
    return comparisons;
  } finally {
    await stop(upstream);
    await postgres?.close();
    await rm(root, { recursive: true, force: true });
  }
}

interface Conditions extends TurnOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Each tool has a process of its own, and they have their turns one after the other. */
function compareTools(
  { tools, arguments: values }: ComparedBody,
  { folder, environment, ...turns }: Conditions,
): Promise<MeasuredServer[]> {
  const contestants = tools.map((name) => ({
    program: { name, folder, path: "dist/src/main.js", flags: ["--http"], environment },
    calls: [{ name, arguments: values }],
  }));
  return takeTurns(contestants, turns);
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
