import { cpus } from "node:os";
import { AccessServers } from "./bench-server/access.js";
import { ActingServers } from "./bench-server/acting.js";
import { compareBodies } from "./bench-server/bodies.js";
import { median } from "./bench-server/median.js";
import { runCell, type Cell, type Measured } from "./bench-server/cell.js";
import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { DividedBench } from "./bench-server/divided.js";
import { FIELD_USERS, FieldServers } from "./bench-server/field.js";
import { ScaleServers } from "./bench-server/scale.js";
import { readOptions, type BenchOptions } from "./bench-server/options.js";
import { startTable } from "./bench-server/start-table.js";
import { measureStarts } from "./bench-server/start.js";
import { takeTurns, type MeasuredServer } from "./bench-server/turns.js";
import { BenchProjects } from "./bench-server/projects.js";

/**
 * Compares the generated server with servers written by hand, side by side: prints the CPU time that
 * the server's process takes for a call, and how that compares with the others. Calls a second are
 * shown only for a feeling: the load shares the machine.
 *
 *   npm run bench:server -- --short
 *   npm run bench:server -- --tools 100 --methods tools/call --connections 1,16 --servers echo,fast,shared
 */
const options = readOptions(process.argv.slice(2));
console.log(`Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`);
const projects = await BenchProjects.create();
try {
  if (options.parts.includes("start")) await compareStarts();
  if (options.parts.includes("calls")) await compareCalls();
  if (options.parts.includes("bodies")) await printBodies();
  if (options.parts.includes("access")) await printAccess();
  if (options.parts.includes("acting")) await printActing();
  if (options.parts.includes("scale")) await printScale();
  if (options.parts.includes("workers")) await printWorkers();
  if (options.parts.includes("field")) await printField();
} finally {
  await projects.remove();
}

async function compareCalls(): Promise<void> {
  for (const cell of cellsOf(options)) {
    console.log(`\n${describe(cell)}`);
    print(await runCell(projects, cell, options));
  }
}

async function compareStarts(): Promise<void> {
  for (const tools of options.tools) {
    console.log(`\nspawn to first tools/list over stdio, ${tools} tools`);
    const all = await measureStarts(
      projects,
      ["factory", "fast", "bundle"],
      tools,
      2 * options.rounds,
    );
    printTable(startTable(all));
  }
}

/** What bodies of the manifest cost beside handlers that do the same by hand: alone, and among 1,000 tools. */
async function printBodies(): Promise<void> {
  const connections = options.connections.at(-1) ?? 16;
  for (const others of [0, 1_000]) {
    for (const { title, tools } of await compareBodies(options, others, connections)) {
      console.log(`\n${title}, beside ${others} other tools, ${connections} connections`);
      printBeside("tool", tools);
    }
  }
}

/** Measures the cost of authentication and of the audit trail. */
async function printAccess(): Promise<void> {
  const connections = options.connections.at(-1) ?? 16;
  const servers = await AccessServers.create();
  try {
    console.log(`\ntools/call with access and an audit trail, ${connections} connections`);
    printBeside("server", await takeTurns(servers.contestants, { ...options, connections }));
  } finally {
    await servers.remove();
  }
}

/** Measures what a token of the caller's own costs a request to a service, beside a fixed key. */
async function printActing(): Promise<void> {
  const connections = options.connections.at(-1) ?? 16;
  const servers = await ActingServers.create();
  try {
    console.log(`\ntools/call that asks a service, ${connections} connections`);
    printBeside("asked with", await takeTurns(servers.contestants, { ...options, connections }));
  } finally {
    await servers.remove();
  }
}

/** Measures the cost of sharing through Redis, under load and call by call, and the throughput of several replicas. */
async function printScale(): Promise<void> {
  const absence = await LocalRedis.whyWithout();
  if (absence !== undefined) return console.log(`\nnothing is shared: ${absence}`);
  const servers = await ScaleServers.create();
  try {
    for (const connections of [options.connections.at(-1) ?? 16, 1]) {
      console.log(`\ntools/call of one replica that shares, ${connections} connections`);
      printBeside("shared", await takeTurns(servers.contestants, { ...options, connections }));
    }
    console.log("\ntools/call of several replicas that share everything, 16 connections each");
    const rows: string[][] = [["replicas", "calls/s", "CPU a call"]];
    for (const count of [1, 2, 4]) {
      const { callsPerSecond, micros } = await servers.throughput(count, 16, 40_000);
      rows.push([String(count), callsPerSecond.toFixed(0), `${micros.toFixed(1)} µs`]);
    }
    printTable(rows);
  } finally {
    await servers.remove();
  }
}

/** Measures a server with one, two and four workers, in turns. */
async function printWorkers(): Promise<void> {
  const server = await DividedBench.create();
  try {
    for (const tool of ["greet", "work"] as const) {
      console.log(`\ntools/call of ${tool}, 32 connections`);
      const all = await server.turns(tool, [1, 2, 4], options.rounds);
      const rows = [...all].map(([workers, turns]) => [
        String(workers),
        ...spreadOf(turns.map(({ callsPerSecond }) => callsPerSecond)),
        ...spreadOf(turns.map(({ micros }) => micros)),
      ]);
      printTable([["workers", "calls/s", "spread", "CPU µs a call", "spread"], ...rows]);
    }
  } finally {
    await server.remove();
  }
}

function spreadOf(values: readonly number[]): readonly [middle: string, spread: string] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return [median(values).toFixed(0), `${least.toFixed(0)}–${most.toFixed(0)}`];
}

/** Measures servers that ask Redis and a service over HTTP, as servers in the field do. */
async function printField(): Promise<void> {
  const absence = await LocalRedis.whyWithout();
  if (absence !== undefined) return console.log(`\nno tool asks Redis: ${absence}`);
  const servers = await FieldServers.create();
  try {
    console.log(`\nthree tools over Redis and an API, ${FIELD_USERS} users`);
    const turns = { ...options, connections: FIELD_USERS };
    printBeside("server", await takeTurns(servers.contestants, turns));
  } finally {
    await servers.remove();
  }
}

/**
 * Medians relative to the first one: the additional cost of a call, and the ratio of turns that ran next to each other, with
 * the spread of that.
 */
function printBeside(title: string, all: readonly MeasuredServer[]): void {
  const [first] = all;
  const rows = all.map(({ name, micros, waits, perSecond }) => {
    const ratios = first!.micros.map((value, turn) => value / micros[turn]!);
    return [
      name,
      `${median(micros).toFixed(1)} µs`,
      `${Math.min(...micros).toFixed(0)}–${Math.max(...micros).toFixed(0)}`,
      `${median(micros.map((value, turn) => value - first!.micros[turn]!)).toFixed(1)} µs`,
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      `${median(waits).toFixed(0)} µs`,
      median(perSecond).toFixed(0),
    ];
  });
  const titles = [
    ...[title, "CPU a call", "spread", "over first", "first to this", "spread", "wait"],
    "calls/s",
  ];
  printTable([titles, ...rows]);
}

function* cellsOf({
  transports,
  eras,
  tools,
  methods,
  connections,
}: BenchOptions): Generator<Cell> {
  for (const transport of transports) {
    for (const count of tools) {
      for (const era of eras) {
        for (const method of methods) {
          for (const lanes of connections) {
            yield { transport, era, method, tools: count, connections: lanes };
          }
        }
      }
    }
  }
}

function describe({ transport, era, method, tools, connections }: Cell): string {
  const lanes = transport === "http" ? "connections" : "requests under way";
  return `${method}, ${era} over ${transport}, ${tools} tools, ${connections} ${lanes}`;
}

/** Ratios are of medians of turns that stood side by side: above 1, the first one is cheaper. */
function print(all: readonly Measured[]): void {
  const echo = all.find(({ server }) => server === "echo");
  const generated =
    all.find(({ server }) => server === "fast") ?? all.find(({ server }) => server === "sdk-path");
  const rows = all.map((one) => {
    const { server, micros, perSecond, memory } = one;
    const spread = `${Math.min(...micros).toFixed(0)}–${Math.max(...micros).toFixed(0)}`;
    return [
      server,
      `${median(micros).toFixed(1)} µs`,
      spread,
      echo === undefined ? "" : ratio(echo, one).toFixed(2),
      generated === undefined ? "" : `${ratio(one, generated).toFixed(2)}×`,
      perSecond.toFixed(0),
      `${(memory / 2 ** 20).toFixed(0)} MB`,
    ];
  });
  const titles = ["server", "CPU a call", "spread", "of echo", "of generated", "calls/s", "memory"];
  printTable([titles, ...rows]);
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widest = Math.max(...rows.map(([first = ""]) => first.length));
  for (const [first = "", ...others] of rows) {
    console.log(first.padEnd(widest) + others.map((text) => text.padStart(15)).join(""));
  }
}

function ratio(above: Measured, below: Measured): number {
  return median(above.micros.map((micros, turn) => micros / below.micros[turn]!));
}
