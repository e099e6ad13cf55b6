import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../../../templates/runtime/samples/until.js";
import { DemoServer } from "../../../scenarios/attacks/hostile-requests/demo-server.js";
import { isBlocked, watchedBy } from "../../../scenarios/attacks/hostile-requests/watched.js";
import { readPrometheusText } from "../../../harness/oracles/prometheus-text.js";
import { randomNumbers, type RandomNumbers } from "../../../harness/runner/random-numbers.js";
import { attack, type AttackRecord } from "./attackers.js";
import {
  callInSessions,
  callOverHttp,
  callOverWebSocket,
  HonestRecord,
  textMark,
} from "./honest-clients.js";

export interface SoakOptions {
  /** How long load and attacks go on at least, in milliseconds, the warming-up included. */
  readonly durationMs: number;
  /** How many calls and attacks there are at least, half of them while the server warms up. */
  readonly leastCalls: number;
  readonly leastAttacks: number;
  /** The part of that time for warming up, in which late compilation and remembered clients do not count as a leak. */
  readonly warmUpMs: number;
  readonly seed: number;
  /** Is told how it goes, now and then. */
  readonly progress?: (report: string) => void;
}

/** What came of it. */
export interface SoakReport {
  readonly calls: number;
  readonly attacks: number;
  /** Sessions of honest clients that gave way to those of attackers before they were used. */
  readonly lostSessions: number;
  /** Wrong, swapped or missing answers, and wrong answers to attacks. */
  readonly wrong: readonly string[];
  /** The longest that an honest client waited for an answer, in milliseconds. */
  readonly slowestMs: number;
  /** The most memory that the process took up at any scrape, in bytes. */
  readonly mostResident: number;
  /** What the heap held after a collection, in bytes. */
  readonly heapWarm: number;
  readonly heapEnd: number;
  /** Whether the event loop was ever blocked for long. */
  readonly wasBlocked: boolean;
  readonly scrapes: number;
  readonly logLines: number;
  /** Calls that ran when the server was told to stop, and how many of them it finished. */
  readonly runningAtStop: number;
  readonly finishedAtStop: number;
  /** The finished ones among them whose answer did not arrive. */
  readonly lostAtStop: readonly string[];
  readonly exitStatus: number | null;
}

/** The file on which the calls wait that run while the server stops. */
const RELEASE = "release";

/** Reads the server's log as it is written, without keeping it. */
class LogReader {
  lines = 0;
  readonly wrong: string[] = [];
  /** The ids of calls whose handlers said that they had finished. */
  readonly finished = new Set<string>();
  /** Lines about requests, by the request's id. */
  readonly requests = new Map<string, number>();

  constructor(private readonly server: DemoServer) {}

  read(): void {
    for (const line of this.server.logLines.splice(0)) {
      this.lines += 1;
      if (line.includes(textMark)) this.wrong.push(`the log holds an argument: ${line}`);
      const { message, requestId } = JSON.parse(line) as {
        readonly message: string;
        readonly requestId?: unknown;
      };
      if (typeof requestId !== "string") continue;
      if (message === "finished") this.finished.add(requestId);
      if (message === "request") {
        this.requests.set(requestId, (this.requests.get(requestId) ?? 0) + 1);
      }
    }
    this.server.answers.length = 0;
  }

  /** Whether each answered request has a line by now. */
  hasAll({ answered }: HonestRecord): boolean {
    this.read();
    return [...answered].every((id) => this.requests.has(id));
  }

  /** Checks that each answered request has one line. Compared lines are dropped. */
  compare({ answered }: HonestRecord): void {
    for (const id of answered) {
      const count = this.requests.get(id) ?? 0;
      if (count !== 1 && this.wrong.length < 20) this.wrong.push(`${id} has ${count} log lines`);
    }
    answered.clear();
    this.requests.clear();
    this.finished.clear();
  }
}

/** Keeps a generated server under load and attack, then stops it in the middle of its work. */
export async function soak(folder: string, options: SoakOptions): Promise<SoakReport> {
  const server = await DemoServer.start(folder, ["--websocket"]);
  try {
    return await new Soak(server, folder, options).run();
  } finally {
    await server.stop();
  }
}

class Soak {
  readonly #honest = new HonestRecord();
  readonly #attacks: AttackRecord = { attacks: 0, wrong: [] };
  readonly #log: LogReader;
  readonly #wrong: string[] = [];
  #scrapes = 0;
  #mostResident = 0;
  #wasBlocked = false;

  constructor(
    private readonly server: DemoServer,
    private readonly folder: string,
    private readonly options: SoakOptions,
  ) {
    this.#log = new LogReader(server);
  }

  async run(): Promise<SoakReport> {
    const { durationMs, warmUpMs } = this.options;
    await this.#load(warmUpMs, 1);
    const heapWarm = await this.#heapAtRest();
    await this.#load(durationMs - warmUpMs, 2);
    const heapEnd = await this.#heapAtRest();
    const stopped = await this.#stopUnderLoad();
    return {
      calls: this.#honest.calls,
      attacks: this.#attacks.attacks,
      lostSessions: this.#honest.lostSessions,
      wrong: [...this.#wrong, ...this.#honest.wrong, ...this.#attacks.wrong, ...this.#log.wrong],
      slowestMs: Math.round(this.#honest.slowestMs),
      mostResident: this.#mostResident,
      heapWarm,
      heapEnd,
      wasBlocked: this.#wasBlocked,
      scrapes: this.#scrapes,
      logLines: this.#log.lines,
      ...stopped,
    };
  }

  /** Load and attacks for a while; returns when every client has its answers. */
  async #load(forMs: number, phase: number): Promise<void> {
    const { server } = this;
    const end = performance.now() + forMs;
    const { leastCalls, leastAttacks } = this.options;
    const isEnough = (): boolean =>
      performance.now() >= end &&
      this.#honest.calls >= (phase * leastCalls) / 2 &&
      this.#attacks.attacks >= (phase * leastAttacks) / 2;
    const isRunning = (): boolean => server.child.exitCode === null && !isEnough();
    const random = (index: number): RandomNumbers =>
      randomNumbers(this.options.seed * 1_000 + phase * 100 + index);
    const record = this.#honest;
    const clients = [1, 2, 3, 4].flatMap((number) => [
      callOverHttp({ server, record, number, random: random(number) }, isRunning),
      callInSessions(
        { server, record, number: 10 + number, random: random(10 + number) },
        isRunning,
      ),
      callOverWebSocket(
        { server, record, number: 20 + number, random: random(20 + number) },
        isRunning,
      ),
    ]);
    const attackers = [31, 32, 33].map((index) =>
      attack(server, this.#attacks, random(index), isRunning),
    );
    await Promise.all([...clients, ...attackers, this.#observe(isRunning)]);
    await until(() => this.#log.hasAll(record));
    this.#log.compare(record);
  }

  /** Reads the metrics and the log every second. */
  async #observe(isRunning: () => boolean): Promise<void> {
    let next = 0;
    while (isRunning()) {
      await delay(1_000);
      this.#log.read();
      await this.#scrape();
      if (++next % 30 === 0) {
        const { calls } = this.#honest;
        this.options.progress?.(`${calls} calls, ${this.#attacks.attacks} attacks`);
      }
    }
  }

  async #scrape(): Promise<ReadonlyMap<string, number>> {
    const { text } = await this.server.request({
      method: "GET",
      path: "/metrics",
      localAddress: "127.0.30.1",
    });
    this.#scrapes += 1;
    if (text.includes(textMark)) this.#wrong.push("the metrics hold an argument");
    const totals = new Map<string, number>();
    for (const { name, value } of readPrometheusText(text)) {
      totals.set(name, (totals.get(name) ?? 0) + value);
    }
    const resident = totals.get("process_resident_memory_bytes") ?? Infinity;
    this.#mostResident = Math.max(this.#mostResident, resident);
    const sessions = totals.get("mcp_server_sessions") ?? Infinity;
    if (sessions > 200) this.#wrong.push(`${sessions} sessions`);
    return totals;
  }

  /** What the heap holds when nobody is served any more, and sessions have run out. */
  async #heapAtRest(): Promise<number> {
    const gauges = ["requests_in_flight", "handlers_running", "sessions", "clients"];
    await until(async () => {
      const totals = await this.#scrape();
      return gauges.every((gauge) => totals.get(`mcp_server_${gauge}`) === 0);
    });
    const watched = watchedBy(await this.server.call("watch", {}, { localAddress: "127.0.30.1" }));
    this.#wasBlocked ||= isBlocked(watched);
    return watched.heapBytes;
  }

  /** Sends SIGTERM while many calls run, which come to their ends only then. */
  async #stopUnderLoad(): Promise<
    Pick<SoakReport, "runningAtStop" | "finishedAtStop" | "lostAtStop" | "exitStatus">
  > {
    const { server } = this;
    const received = new Set<string>();
    const calls = Array.from({ length: 120 }, async (_none, index) => {
      const { id, text } = this.#honest.next(40);
      const args = { text, file: RELEASE };
      const localAddress = `127.0.40.${1 + (index % 8)}`;
      const params = { name: "hold", arguments: args };
      const body = requestWithId(params, id);
      const answer = await server
        .send("tools/call", params, { body, localAddress })
        .catch(() => undefined);
      if (answer?.text.includes(text)) received.add(id);
    });
    let running = 0;
    await until(async () => {
      running = (await this.#scrape()).get("mcp_server_handlers_running") ?? 0;
      return running >= calls.length;
    });
    const exited = new Promise<number | null>((resolve) => server.child.once("close", resolve));
    server.child.kill("SIGTERM");
    await server.untilLogged('"stopping"');
    await writeFile(join(this.folder, RELEASE), "");
    await Promise.all(calls);
    const exitStatus = await exited;
    this.#log.read();
    const { finished } = this.#log;
    const lostAtStop = [...finished].filter((id) => !received.has(id));
    return { runningAtStop: running, finishedAtStop: finished.size, lostAtStop, exitStatus };
  }
}

function requestWithId(params: Readonly<Record<string, unknown>>, id: string): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = { jsonrpc: "2.0", id, method: "tools/call", params: { ...params, _meta } };
  return JSON.stringify(body);
}
