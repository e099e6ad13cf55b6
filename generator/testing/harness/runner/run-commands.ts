import { createRequire } from "node:module";
import type { CommandEnd, CommandRun } from "./command-run.js";

/** The program of `command-run.ts`: runs the commands of its argument in turn, and writes how each ended as JSON. */

const require = createRequire(import.meta.url);
const waiting = JSON.parse(process.argv[2] ?? "[]") as CommandRun[];
const ends: CommandEnd[] = [];
const outputs = [process.stdout, process.stderr];
const writers = outputs.map((stream) => stream.write.bind(stream));
let output = "";

/** Keeps what a command writes, and says that it is written. */
function keep(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
  output += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  const written = rest.at(-1);
  if (typeof written === "function") process.nextTick(written as () => void);
  return true;
}

/** Starts the next command; its end is when nothing is left to wait for, as for a process of its own. */
function startNext(): void {
  const run = waiting.shift();
  if (run === undefined) {
    process.exitCode = 0;
    outputs.forEach((stream, index) => (stream.write = writers[index] ?? stream.write));
    process.removeListener("beforeExit", endOne);
    process.stdout.write(JSON.stringify(ends));
    return;
  }
  output = "";
  process.exitCode = 0;
  process.chdir(run.folder);
  process.argv.splice(1, Infinity, run.program, ...run.words);
  for (const path of Object.keys(require.cache)) Reflect.deleteProperty(require.cache, path);
  require(run.program);
}

function endOne(): void {
  ends.push({ status: Number(process.exitCode), output });
  startNext();
}

// Each command listens to signals.
process.setMaxListeners(0);
process.on("beforeExit", endOne);
for (const stream of outputs) stream.write = keep;
startNext();
