import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  NODE_VERSIONS,
  nodeFolder,
  versionsOf,
  type NodeVersion,
} from "./harness/runner/node-programs.js";

/**
 * Runs a part of the tests under each version of Node.js that must work, and prints a table of the results: the
 * published command, the compiler with its files and its `dev`, what it prints and emits, generated servers over every
 * transport in both eras, and the rooms of the runtime that are built on modules of Node.js.
 *
 *   node dist/generator/testing/run-node-versions.js [version …]
 *   node dist/generator/testing/run-node-versions.js --day DAYS_SINCE_1970   (those whose turn it is)
 */
const ROOMS = [
  ...[
    "access",
    "connections",
    "databases",
    "directories",
    "http",
    "observe",
    "programs",
    "remote-servers",
  ],
  ...["sse", "start", "stdio", "telemetry", "upstreams", "websocket"],
];
const PART = [
  ...ROOMS.map((room) => `templates/runtime/${room}/`),
  "7-apply/apply.test",
  "7-apply/file-layer",
  "cli/check.test",
  "cli/dev/",
  "scenarios/dev/dev-stdio",
  "scenarios/serving/examples.test",
  "scenarios/command/golden-commands",
  "scenarios/command/packed-command",
  "scenarios/command/process.test",
  "scenarios/serving/served-transports",
  "scenarios/publishing/starter-project",
];
/** Versions that are tested at once, so that one runs where another waits. */
const AT_ONCE = 2;
const WORKERS = "2";
const runner = fileURLToPath(new URL("./run-tests.js", import.meta.url));

/** What the tests came to under a version: the last line of their runner. Their output is printed when they have ended. */
async function testUnder(version: NodeVersion): Promise<string> {
  const folder = await nodeFolder(version);
  const PATH = `${folder}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(join(folder, "node"), [runner, ...PART], {
    env: { ...process.env, PATH, TEST_WORKERS: WORKERS },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (status !== 0) process.exitCode = 1;
  console.log(`\nNode.js ${version}\n${output.trimEnd()}`);
  return /^\d+ passed, \d+ failed, \d+ skipped$/m.exec(output)?.[0] ?? `ended with ${status}`;
}

function wantedVersions(words: readonly string[]): readonly NodeVersion[] {
  if (words[0] === "--day") return versionsOf(Number(words[1]));
  return NODE_VERSIONS.filter(
    (version) => words.length === 0 || words.some((start) => version.startsWith(start)),
  );
}

async function main(): Promise<void> {
  const versions = wantedVersions(process.argv.slice(2));
  const rows = new Map<NodeVersion, string>();
  const queue = [...versions];
  const worker = async (): Promise<void> => {
    for (let version = queue.shift(); version !== undefined; version = queue.shift()) {
      const started = performance.now();
      const result = await testUnder(version);
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      rows.set(version, `Node.js ${version.padEnd(10)}${result} (${seconds} s)`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.log(`\n${versions.map((version) => rows.get(version)).join("\n")}`);
  if (versions.length === 0) process.exitCode = 1;
}

await main();
