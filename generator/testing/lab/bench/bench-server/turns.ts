import { loadHttp } from "./load.js";
import type { Era } from "./options.js";
import { BenchRequest, type ToolCall } from "./requests.js";
import { ServerProcess, type ServerProgram } from "./server-process.js";

/** A server over HTTP, with the requests for it. */
export interface Contestant {
  readonly program: ServerProgram;
  /** What it is called with, in turn. */
  readonly calls: readonly ToolCall[];
  /** The protocol version of the calls; by default the newest. */
  readonly era?: Era;
  /** What requests show of themselves, where they have to. */
  readonly token?: string;
}

export interface TurnOptions {
  readonly rounds: number;
  /** CPU time of a turn, in milliseconds. */
  readonly turnMs: number;
  readonly connections: number;
}

/** What calls cost the process of a server. */
export interface MeasuredServer {
  readonly name: string;
  /** CPU time a call, in microseconds: one for each turn. */
  readonly micros: number[];
  /** What a caller waits for an answer, on average, in microseconds: one for each turn. */
  readonly waits: number[];
  /** Calls that were answered in a second: one for each turn. */
  readonly perSecond: number[];
}

const WARM_UP_CALLS = 2_000;

/** Runs each server in its own process, and lets them answer calls in turn for a number of rounds. */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, turnMs, connections }: TurnOptions,
): Promise<MeasuredServer[]> {
  const servers = await Promise.all(
    contestants.map(({ program }) => ServerProcess.run(program, "http")),
  );
  const measured = servers.map(({ name }) => ({
    name,
    micros: [] as number[],
    waits: [] as number[],
    perSecond: [] as number[],
  }));
  const turn = async (index: number, calls: number) => {
    const [server, contestant] = [servers[index]!, contestants[index]!];
    const { calls: asked, era = "2026-07-28", token } = contestant;
    const requests = asked.map((call) => new BenchRequest("tools/call", era, call));
    const before = await server.usage();
    const start = performance.now();
    await loadHttp(server.port, requests, connections, calls, token);
    const elapsed = performance.now() - start;
    const wait = (elapsed * 1_000 * connections) / calls;
    const perSecond = (calls * 1_000) / elapsed;
    return { micros: ((await server.usage()).cpu - before.cpu) / calls, wait, perSecond };
  };
  try {
    const calls: number[] = [];
    for (const index of contestants.keys()) {
      await turn(index, WARM_UP_CALLS);
      const { micros } = await turn(index, WARM_UP_CALLS);
      calls.push(Math.max(100, Math.round((turnMs * 1_000) / micros)));
    }
    for (let round = 0; round < rounds; round++) {
      for (const [index, { micros, waits, perSecond }] of measured.entries()) {
        const took = await turn(index, calls[index]!);
        micros.push(took.micros);
        waits.push(took.wait);
        perSecond.push(took.perSecond);
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
  return measured;
}
