import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE_VERSIONS, nodeFolder } from "./node-programs.js";

/**
 * Runs a part of the tests under each version of Node.js that must work, and prints a table of the results:
 * the compiler from its modules and as it is published, and generated servers over every transport.
 *
 *   node dist/generator/testing/run-node-versions.js [version …]
 */
const PART = [
  "7-apply/apply.test",
  "cli/check.test",
  "cli/dev/",
  "templates/runtime/",
  "testing/dev-stdio",
  "testing/end-to-end",
  "testing/examples.test",
  "testing/golden-commands",
  "testing/package.test",
  "testing/process.test",
  "testing/served-transports",
];
const runner = fileURLToPath(new URL("./run-tests.js", import.meta.url));

/** What the tests came to under a version: the last line of their runner. */
async function testUnder(version: (typeof NODE_VERSIONS)[number]): Promise<string> {
  const folder = await nodeFolder(version);
  console.log(`\nNode.js ${version}`);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
  const child = spawn(join(folder, "node"), [runner, ...PART], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (status !== 0) process.exitCode = 1;
  return /^\d+ passed, \d+ failed, \d+ skipped$/m.exec(output)?.[0] ?? `ended with ${status}`;
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const versions = NODE_VERSIONS.filter(
    (version) => wanted.length === 0 || wanted.some((start) => version.startsWith(start)),
  );
  const rows: string[] = [];
  for (const version of versions) {
    const started = performance.now();
    const result = await testUnder(version);
    const seconds = ((performance.now() - started) / 1_000).toFixed(0);
    rows.push(`Node.js ${version.padEnd(10)}${result} (${seconds} s)`);
  }
  console.log(`\n${rows.join("\n")}`);
  if (rows.length === 0) process.exitCode = 1;
}

await main();
