import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runProgram } from "../testing/harness/runner/programs.js";
import { packageRoot } from "../text/package-root.js";

/** What other runtimes than Node.js need of the package: modules that do nothing when they are imported. */

const built = new URL("dist/runtime/dist/", packageRoot);

/** A program that imports a module, and prints what its scope and the scopes of what it imports call or read. */
const OBSERVER = `
import { createRequire, syncBuiltinESMExports } from "node:module";
const [folder, entry] = process.argv.slice(1);
const require = createRequire(folder);
Error.stackTraceLimit = 100;
const seen = new Set();
const note = (name) => void (new Error().stack.includes(folder) && seen.add(name));
function watch(holder, prefix) {
  for (const key of Object.getOwnPropertyNames(holder)) {
    const { value, writable } = Object.getOwnPropertyDescriptor(holder, key);
    if (typeof value !== "function" || !writable || key === "constructor") continue;
    holder[key] = new Proxy(value, {
      apply: (...call) => (note(prefix + key), Reflect.apply(...call)),
      construct: (...call) => (note("new " + prefix + key), Reflect.construct(...call)),
    });
  }
}
const rooms = ["child_process", "crypto", "dns", "fs", "fs/promises", "http", "https", "net", "os", "timers", "tls"];
for (const room of rooms) watch(require("node:" + room), room + ".");
watch(Object.getPrototypeOf(globalThis.crypto), "crypto.");
watch(Math, "Math.");
watch(process, "process.");
const { env } = process;
Object.defineProperty(process, "env", { get: () => (note("process.env"), env) });
for (const name of ["fetch", "setImmediate", "setInterval", "setTimeout"]) {
  const own = globalThis[name];
  globalThis[name] = (...given) => (note(name), own(...given));
}
syncBuiltinESMExports();
await import(entry);
process.stdout.write(JSON.stringify([...seen].sort()));
`;

async function seenInScopeOf(module: string): Promise<readonly string[]> {
  const entry = new URL(module, built).href;
  const parameters = ["--input-type=module", "-e", OBSERVER, fileURLToPath(built), entry];
  return JSON.parse(
    await runProgram(fileURLToPath(packageRoot), process.execPath, parameters),
  ) as string[];
}

test("to import the entry `.` reads and writes nothing, and uses no randomness, time or variables", async () => {
  assert.equal(await seenInScopeOf("index.js"), []);
});

test("the check notices a module that acts when it is loaded", async () => {
  const seen = await seenInScopeOf("start.js");
  assert.ok(seen.includes("process.env"), seen.join());
});

test("no module of the package reads import.meta, which a bundle for workers does not have", () => {
  const paths = readdirSync(built, { recursive: true, encoding: "utf8" });
  const asking = paths
    .filter((path) => path.endsWith(".js") && !/^(?:commands|suite)\//.test(path))
    .filter((path) => {
      const code = readFileSync(new URL(path, built), "utf8").replace(/\/\*[^]*?\*\//g, "");
      return code.includes("import.meta");
    });
  assert.equal(asking, []);
});

test.run();
