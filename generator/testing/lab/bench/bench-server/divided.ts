import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../../../../templates/runtime/samples/free-port.js";
import { buildServer } from "./built-server.js";
import { loadHttp } from "./load.js";
import { BenchRequest } from "./requests.js";

const MANIFEST = `manifestVersion: 1
name: divided
version: 1.0.0
limits: { ratePerSecond: 1000000 }
transports: [{ type: http }]
tools:
  - name: greet
    description: Greets a person.
    inputSchema: &who
      type: object
      properties: { who: { type: string, description: Name } }
      required: [who]
      additionalProperties: false
    content: [{ type: text, text: "Hello, {{who}}!" }]
  - name: work
    description: Takes about half a millisecond of CPU.
    inputSchema: *who
`;

const WORK = `import { pbkdf2Sync } from "node:crypto";
import type { ToolHandler } from "../generated/index.ts";

export const work: ToolHandler<"work"> = ({ who }) => pbkdf2Sync(who, "salt", 1_000, 32, "sha256").toString("hex");
`;

/** Connections of the load, and calls of a turn. */
const CONNECTIONS = 32;
const CALLS = { greet: 40_000, work: 8_000 };

/** Linux counts the CPU time of a process in these units, in microseconds. */
const TICK = 10_000;

/** What a number of workers does in a turn. */
export interface DividedTurn {
  readonly callsPerSecond: number;
  /** CPU time of all processes of the server for one call, in microseconds. */
  readonly micros: number;
}

/** A built server that is started with several numbers of workers. It runs on Linux only. */
export class DividedBench {
  readonly #root: string;
  readonly #folder: string;

  private constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  static async create(): Promise<DividedBench> {
    const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-workers-"));
    const folder = join(root, "server");
    await buildServer(folder, { "mcp.yaml": MANIFEST });
    await mkdir(join(folder, "src/tools"), { recursive: true });
    await writeFile(join(folder, "src/tools/work.ts"), WORK);
    await rm(join(folder, "dist"), { recursive: true });
    const build = spawn("npm", ["run", "build"], { cwd: folder, stdio: "ignore" });
    const [status] = (await once(build, "exit")) as [number | null];
    if (status !== 0) throw new Error("the server cannot be built");
    return new DividedBench(root, folder);
  }

  /** Measures each number of workers in turns, so that what else the machine does meets all of them. */
  async turns(
    tool: keyof typeof CALLS,
    counts: readonly number[],
    rounds: number,
  ): Promise<ReadonlyMap<number, readonly DividedTurn[]>> {
    const turns = new Map<number, DividedTurn[]>(counts.map((count) => [count, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [count, measured] of turns) measured.push(await this.#turn(tool, count));
    }
    return turns;
  }

  async #turn(tool: keyof typeof CALLS, workers: number): Promise<DividedTurn> {
    const port = await freePort();
    const flags = ["--http", "--workers", String(workers), "--port", String(port)];
    const server = spawn(process.execPath, ["dist/bundle.mjs", ...flags], {
      cwd: this.#folder,
      env: { ...process.env, LOG_LEVEL: "info" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    await serving(server, workers);
    const request = new BenchRequest("tools/call", "2026-07-28", {
      name: tool,
      arguments: { who: "Ada" },
    });
    const calls = CALLS[tool];
    try {
      await loadHttp(port, [request], CONNECTIONS, calls / 4);
      const [cpu, start] = [cpuOf(server.pid!), performance.now()];
      await loadHttp(port, [request], CONNECTIONS, calls);
      const seconds = (performance.now() - start) / 1_000;
      return { callsPerSecond: calls / seconds, micros: (cpuOf(server.pid!) - cpu) / calls };
    } finally {
      const ended = once(server, "exit");
      server.kill("SIGTERM");
      await ended;
      await delay(100);
    }
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }
}

/** Waits until all workers serve. What the server logs is read and thrown away. */
async function serving(server: ChildProcess, workers: number): Promise<void> {
  const words = workers === 1 ? '"message":"serving"' : "all workers serve";
  let text = "";
  await new Promise<void>((resolve, reject) => {
    server.once("exit", () => reject(new Error(`the server ended: ${text}`)));
    server.stderr?.on("data", (data: Buffer) => {
      if (text.includes(words)) return;
      text += data.toString();
      if (text.includes(words)) resolve();
    });
  });
}

/** The CPU time of a process and its children, in microseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  const own = (Number(fields[11]) + Number(fields[12])) * TICK;
  return children
    .split(" ")
    .filter(Boolean)
    .reduce((sum, child) => sum + cpuOf(Number(child)), own);
}
