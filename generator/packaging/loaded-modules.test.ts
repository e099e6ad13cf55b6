import { test } from "uvu";
import * as assert from "uvu/assert";
import { runProgram } from "../testing/harness/runner/programs.js";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../text/package-root.js";

/** What a server loads of the package before it knows what its items need: each module takes time at every start. */

const built = new URL("dist/runtime/dist/", packageRoot);

/**
 * Imports modules of the package, and prints the folders of all modules that are loaded with them. The source map of a joined
 * module tells which modules are in it.
 */
const OBSERVER = `
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
const hooks = \`
let port;
export const initialize = (data) => void (port = data);
export async function load(url, context, next) {
  port.postMessage(url);
  return next(url, context);
}\`;
const { port1, port2 } = new MessageChannel();
port1.unref();
register("data:text/javascript," + encodeURIComponent(hooks), { data: port2, transferList: [port2] });
const [folder, ...modules] = process.argv.slice(1);
for (const module of modules) await import(folder + module);
const rooms = new Set();
for (let got; (got = receiveMessageOnPort(port1)) !== undefined; ) {
  if (!got.message.startsWith(folder)) continue;
  const { sources } = JSON.parse(readFileSync(new URL(got.message + ".map"), "utf8"));
  for (const source of sources) {
    const [, room] = /\\/src\\/([^/]+)\\//.exec(new URL(source, got.message).pathname) ?? [];
    if (room !== undefined) rooms.add(room);
  }
}
process.stdout.write(JSON.stringify([...rooms].sort()));
`;

async function roomsOf(...modules: readonly string[]): Promise<readonly string[]> {
  const parameters = ["--input-type=module", "-e", OBSERVER, built.href, ...modules];
  const output = await runProgram(fileURLToPath(packageRoot), process.execPath, parameters);
  return JSON.parse(output) as string[];
}

const CORE = ["backends", "context", "engine", "observe", "resources", "server", "start", "tools"];

test("the entries of a server over stdio do not load the modules of items and callers that it may lack", async () => {
  const rooms = await roomsOf("start.js", "index.js", "stdio.js");
  assert.equal(rooms, [...CORE, "stdio"].sort());
});

test("the transport http loads, in addition, only its own modules and those of callers and connections", async () => {
  const rooms = await roomsOf("start.js", "index.js", "http.js");
  assert.equal(rooms, [...CORE, "authentication", "connections", "http"].sort());
});

test("the entry of a feature loads the modules of the feature", async () => {
  assert.ok((await roomsOf("changes.js")).includes("changes"));
});

test.run();
