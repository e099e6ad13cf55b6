import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { packageRoot } from "../../../text/package-root.js";
import { checkedManifest } from "../../harness/projects/checked-manifest.js";
import { DrivenTable } from "../../harness/clients/driven-table.js";
import { connectClient } from "../../harness/clients/every-method.js";
import { testProjects } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type Era } from "../../harness/clients/project-clients.js";
import { walkServer, type ExampleCall } from "../../harness/clients/walk-server.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { WireRecord } from "../../harness/clients/wire-record.js";
import { wireProblems } from "../../harness/clients/wire-schema.js";
import { SingleProcessTransport } from "../../harness/clients/single-process-transport.js";

/** From a manifest to a server that a client calls, as a person would go. */
const examples = fileURLToPath(new URL("examples/", packageRoot));
const folders: string[] = [];
const driven = new DrivenTable();
test.after(async () => {
  driven.print();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** The examples run on the runtime that the build has packed, so that no tarball is committed. */
const BUILT_RUNTIME = { "@mcpwright/runtime": "file:../../dist/runtime.tgz" };

async function generated(folder: string): Promise<string> {
  folders.push(folder);
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  return folder;
}

/** Paths of files that are not the same in two projects; their owners may have changed package.json. */
async function differing(one: string, other: string): Promise<string[]> {
  const [mine, theirs] = await Promise.all([filesOf(one), filesOf(other)]);
  const paths = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...paths].filter((path) => mine[path] !== theirs[path]);
}

/** Every file of a project by its path, but for what npm and tsc make. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/^(node_modules\/|dist\/|package\.json$)/.test(path))
    .sort();
  const contents = paths.map(
    async (path) => [path, await readFile(join(folder, path), "utf8")] as const,
  );
  return Object.fromEntries(await Promise.all(contents));
}

/** Official clients use all that a built server lists, over stdio and over HTTP that keeps no sessions. */
async function clientsOfBothEras(folder: string): Promise<void> {
  const examples = await exampleCalls(folder);
  const entry = [join(folder, "dist/src/main.js"), "--stdio"];
  const stdio = { command: process.execPath, args: entry, cwd: folder, stderr: "ignore" as const };
  const listens = (await readFile(join(folder, "mcp.yaml"), "utf8")).includes("type: http");
  const server = listens ? await startHttp(folder) : undefined;
  try {
    for (const era of ["modern", "legacy"] as const) {
      const name = basename(folder).replace(/^mcpwright-|-[^-]*$/g, "");
      const overStdio = (record: WireRecord): Transport =>
        record.around(new SingleProcessTransport(stdio));
      driven.add(`stdio, ${name}`, era, await walk(era, examples, overStdio));
      if (server === undefined) continue;
      const url = new URL(server.url);
      const overHttp = ({ fetch }: WireRecord): Transport =>
        new StreamableHTTPClientTransport(url, { fetch });
      driven.add(`HTTP without sessions, ${name}`, era, await walk(era, examples, overHttp));
    }
  } finally {
    await server?.stop();
  }
}

async function walk(
  era: Era,
  examples: readonly ExampleCall[],
  transport: (record: WireRecord) => Transport,
): Promise<Iterable<string>> {
  const record = new WireRecord();
  const client = await connectClient(transport(record), era);
  const calls = await walkServer(client, examples);
  await client.close();
  const count = [...calls.values()].reduce((sum, one) => sum + one, 0);
  const messages = record.messages();
  assert.ok(messages.length >= count, `${messages.length} messages of ${count} calls`);
  assert.equal(wireProblems(messages, era), []);
  return calls.keys();
}

/** The calls that a manifest shows; the files that they may change are a copy. */
async function exampleCalls(folder: string): Promise<ExampleCall[]> {
  const { model } = checkedManifest(await readFile(join(folder, "mcp.yaml"), "utf8"));
  return model.tools.flatMap(({ wire, examples }) =>
    examples.map(({ arguments: given, expect }) => {
      return { tool: String(wire["name"]), arguments: given, fails: expect.kind === "error" };
    }),
  );
}

const NAMES = ["minimal", "weather", "field-guide", "transports"] as const;
/** The projects of the examples, by name. */
const projects = new Map<string, string>();

for (const name of NAMES) {
  test(`examples/${name} is generated as committed`, async () => {
    const copy = await copyUserFiles(`${examples}${name}`, name);
    await writeFile(join(copy, "package.json"), JSON.stringify({ devDependencies: BUILT_RUNTIME }));
    const folder = await generated(copy);
    projects.set(name, folder);
    assert.equal(await differing(folder, `${examples}${name}`), [], "npm run examples");
  });
}

/** Examples whose tests run: in short, those of the one with every transport. The one with the most items is built for clients. */
const TESTED = shortOrLong<readonly (typeof NAMES)[number][]>(["transports"], NAMES);
const ONLY_BUILT = shortOrLong<readonly (typeof NAMES)[number][]>(["field-guide"], []);

test(`the examples ${TESTED.join(", ")} type-check and pass their tests`, async () => {
  assert.equal([...projects.keys()], NAMES);
  const [tested, onlyBuilt] = [TESTED, ONLY_BUILT].map((names) =>
    names.map((name) => projects.get(name) ?? ""),
  ) as [string[], string[]];
  for (const colored of await testProjects([...tested, ...onlyBuilt], { onlyBuilt })) {
    const output = stripVTControlCharacters(colored);
    // Examples of tools that change something are not called, and those that run a program only with one that
    // stands in for it; nothing else may be left out.
    const notCalled =
      output.match(
        /^skipped: .*(?:the tool is not read-only; it is called once .*readOnlyHint: true.*|another test calls it with a program that stands in for its own)\)$/gm,
      ) ?? [];
    assert.match(output, new RegExp(`Skipped: +${notCalled.length}\\n`), output);
  }
});

// The field guide has the most items.
for (const name of shortOrLong(["field-guide"], ["minimal", "weather", "field-guide"])) {
  test(`official clients use all that the server of examples/${name} lists`, async () => {
    await clientsOfBothEras(projects.get(name) ?? "");
  });
}

test.run();
