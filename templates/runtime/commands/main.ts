#!/usr/bin/env node
import { checkNode } from "./check-node.js";

/** The command of the package, which the scripts of projects call. They run in the project's folder. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<void> | void>> = {
  compile: async () => (await import("./compile.js")).compile(),
  bundle: async () => (await import("./bundle.js")).bundle(),
  "bundle-worker": async () => (await import("./bundle-worker.js")).bundleWorker(),
  "bundle-lambda": async () =>
    (await import("./bundle.js")).bundle("src/generated/lambda.ts", "dist/lambda/index.mjs"),
  "bundle-vercel": async () => (await import("./bundle-vercel.js")).bundleVercel(),
  mcpb: async () => (await import("./mcpb.js")).writeDesktopBundle(),
  "check-node": ([version = "", program = ""]) => checkNode(version, program),
};

const usage = `Usage: mcpwright-runtime COMMAND

  compile                 empties dist/ and compiles the project into it
  bundle                  writes the whole server into dist/bundle.mjs
  bundle-worker           writes the whole server into dist/worker.mjs, for workers
  bundle-lambda           writes the whole server into dist/lambda/index.mjs, for AWS Lambda
  bundle-vercel           writes the whole server into .vercel/output/, as a function of Vercel
  mcpb                    writes the contents of a bundle for desktop clients into dist/mcpb/
  check-node VERSION NAME fails with a message if Node.js is older than VERSION, which NAME needs`;

const [name = "", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  await command(args);
}
