import Module, { createRequire, isBuiltin } from "node:module";
import { dirname, sep } from "node:path";
import type { CommandEnd, CommandRun } from "./command-run.js";

/** The program of `command-run.ts`: runs each command line that it is sent, and sends back how it ended. */

const require = createRequire(import.meta.url);
const packages = new Set<string>();
let output = "";

/** Keeps what a command writes, and says that it is written. */
function keep(chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean {
  output += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
  const written = rest.at(-1);
  if (typeof written === "function") process.nextTick(written as () => void);
  return true;
}

const load = Module.prototype.require;
/** Notes the packages that modules ask for, those that are loaded already too. */
Module.prototype.require = Object.assign(function (this: NodeModule, id: string): unknown {
  if (!/^[./]/.test(id) && !isBuiltin(id)) packages.add(id);
  return load.call(this, id);
}, load);

/** Starts a command; its end is when nothing is left to wait for, as for a process of its own. */
function start({ program, folder, words }: CommandRun): void {
  process.channel?.unref();
  output = "";
  packages.clear();
  process.exitCode = 0;
  process.chdir(folder);
  process.argv.splice(1, Infinity, program, ...words);
  const own = dirname(program) + sep;
  for (const path of Object.keys(require.cache)) {
    if (path.startsWith(own)) Reflect.deleteProperty(require.cache, path);
  }
  require(program);
}

function end(): void {
  if (!process.connected) return;
  const ended: CommandEnd = {
    status: Number(process.exitCode),
    output,
    packages: [...packages].sort(),
  };
  process.exitCode = 0;
  process.channel?.ref();
  process.send?.(ended);
}

// Each command listens to signals.
process.setMaxListeners(0);
process.on("message", start);
process.on("beforeExit", end);
for (const stream of [process.stdout, process.stderr]) stream.write = keep;
