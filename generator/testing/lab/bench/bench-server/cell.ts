import { once } from "node:events";
import { loadHttp, loadStdio } from "./load.js";
import type { BenchOptions, Era, Method, ServerName, Transport } from "./options.js";
import type { BenchProjects } from "./projects.js";
import { BenchRequest, handshake } from "./requests.js";
import { ServerProcess } from "./server-process.js";

/** One comparison: every server does the same, in turns. */
export interface Cell {
  readonly transport: Transport;
  readonly era: Era;
  readonly method: Method;
  readonly tools: number;
  readonly connections: number;
}

export interface Measured {
  readonly server: string;
  /** CPU time a call, in microseconds: one for each turn. */
  readonly micros: number[];
  /** Calls a second, in the last turn. */
  perSecond: number;
  /** Resident memory after the last turn, in bytes. */
  memory: number;
}

/** Runs the servers of a cell, each in its own process, for a number of rounds. */
export async function runCell(
  projects: BenchProjects,
  cell: Cell,
  options: BenchOptions,
): Promise<Measured[]> {
  const names = options.servers.filter((name) => takesPart(name, cell));
  const contestants: Contestant[] = [];
  try {
    for (const name of names) contestants.push(await Contestant.start(projects, name, cell));
    for (const contestant of contestants) await contestant.warmUp(options.turnMs);
    for (let round = 0; round < options.rounds; round++) {
      for (const contestant of contestants) await contestant.turn();
    }
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.stop()));
  }
  return contestants.map(({ measured }) => measured);
}

/** The echo speaks HTTP only. */
function takesPart(name: ServerName, { transport }: Cell): boolean {
  return transport === "http" || name !== "echo";
}

class Contestant {
  readonly measured: Measured;
  readonly #server: ServerProcess;
  readonly #cell: Cell;
  readonly #request: BenchRequest;
  #calls = 20;

  private constructor(server: ServerProcess, cell: Cell) {
    this.#server = server;
    this.#cell = cell;
    this.#request = new BenchRequest(cell.method, cell.era);
    this.measured = { server: server.name, micros: [], perSecond: 0, memory: 0 };
  }

  static async start(projects: BenchProjects, name: ServerName, cell: Cell): Promise<Contestant> {
    const server = await ServerProcess.start(projects, name, cell.tools, cell.transport);
    if (cell.transport === "stdio" && cell.era === "2025-11-25") {
      const answered = once(server.child.stdout!, "data");
      for (const line of handshake) server.child.stdin!.write(line);
      await answered;
    }
    return new Contestant(server, cell);
  }

  /** Lets the code get hot, and finds out how many calls fill a turn. */
  async warmUp(turnMs: number): Promise<void> {
    let spentMs = 0;
    while (spentMs < 6 * turnMs) {
      const micros = await this.#run();
      spentMs += (micros * this.#calls) / 1_000;
      const filling = Math.round((turnMs * 1_000) / micros);
      this.#calls = Math.max(10, Math.min(4 * this.#calls, filling));
    }
  }

  async turn(): Promise<void> {
    const started = performance.now();
    this.measured.micros.push(await this.#run());
    this.measured.perSecond = this.#calls / ((performance.now() - started) / 1_000);
    this.measured.memory = (await this.#server.usage()).memory;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async #run(): Promise<number> {
    const { child, port } = this.#server;
    const { transport, connections } = this.#cell;
    const before = await this.#server.usage();
    if (transport === "http") await loadHttp(port, [this.#request], connections, this.#calls);
    else await loadStdio(child, this.#request, connections, this.#calls);
    const after = await this.#server.usage();
    return (after.cpu - before.cpu) / this.#calls;
  }
}
