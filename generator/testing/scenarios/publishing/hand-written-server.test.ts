import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { dependencyVersions } from "../../../5-emit/project/dependency-versions.js";
import { runtimeDependency } from "../../../5-emit/project/runtime-package.js";
import { runConformanceSuite } from "../../harness/clients/conformance-suite.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { runProgram } from "../../harness/runner/programs.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import {
  connectHttp,
  startProgram,
  type StartedServer,
} from "../../harness/clients/project-clients.js";

/** The server that the README of the runtime's package shows, without a manifest. */

/** Scenarios of the official suite that every server with tools and resources must pass. */
const BASICS = [
  ...["server-initialize", "ping", "tools-list", "resources-list"],
  "dns-rebinding-protection",
];

let folder: string;
const servers: StartedServer[] = [];

test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcpwright-by-hand-"));
  const text = await readFile(new URL("templates/runtime/README.md", packageRoot), "utf8");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
  const { "@types/node": types, typescript } = dependencyVersions;
  const packageFile = {
    name: "notes",
    type: "module",
    devDependencies: { ...runtimeDependency(), "@types/node": types, typescript },
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(packageFile));
  await writeFile(join(folder, "server.ts"), code);
  // The suite has no key.
  await writeFile(join(folder, "open.ts"), code.replace(/^ +auth: .*\n| +scopes: .*\n/gm, ""));
  const own = "module: import.meta.url,\n  environment: { API_KEYS: process.env.OWN_KEYS },";
  await writeFile(join(folder, "own.ts"), code.replace("module: import.meta.url,", own));
  // In short, `compilers.test.ts` alone has the types of packages checked.
  const skipLibCheck = shortOrLong(true, false);
  const compilerOptions = { rootDir: ".", outDir: "dist", skipLibCheck };
  const settings = { extends: "@mcpwright/runtime/tsconfig.json", compilerOptions };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  await installShared(folder);
  await runProgram(folder, process.execPath, [
    "node_modules/typescript/bin/tsc",
    // Each further thread would check the types of packages once more.
    "--singleThreaded",
  ]);
});

test.after(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function started(module: string, env: Readonly<Record<string, string>> = {}) {
  const server = await startProgram(folder, join(folder, "dist", module), env);
  servers.push(server);
  return server;
}

/** A new key, and the line for it in `API_KEYS`, as the server prints them. */
function newKey(): { readonly key: string; readonly line: string } {
  const { stdout } = spawnSync(process.execPath, ["dist/server.js", "--new-key", "ada"], {
    cwd: folder,
    encoding: "utf8",
  });
  const key = /^\S{20,}$/m.exec(stdout)?.[0] ?? "";
  return { key, line: /^ada:[0-9a-f]{64}.*$/m.exec(stdout)?.[0] ?? "" };
}

test("a hand-written server is at most a page long and serves callers with an API key", async () => {
  const code = await readFile(join(folder, "server.ts"), "utf8");
  assert.ok(code.split("\n").length <= 70, "the server does not fit on a page");
  const { key, line } = newKey();
  const { url } = await started("server.js", { API_KEYS: line });
  const refused = await fetch(url, { method: "POST", body: "{}" });
  assert.is(refused.status, 401);
  const client = await connectHttp(url, "modern", { authorization: `Bearer ${key}` });
  try {
    const { content } = await client.callTool({
      name: "read_note",
      arguments: { title: "welcome" },
    });
    assert.equal(content, [{ type: "text", text: "Hello." }]);
    const wrong = await client.callTool({ name: "read_note", arguments: { title: 1 } });
    assert.ok(wrong.isError);
    assert.match(JSON.stringify(wrong.content), "title");
    const { contents } = await client.readResource({ uri: "notes://titles" });
    assert.is((contents[0] as { text: string }).text, "welcome");
    const write = { name: "write_note", arguments: { title: "a", text: "b" } };
    const without = await client.callTool(write).then(
      () => "accepted",
      (error: Error) => error.message,
    );
    assert.not.equal(without, "accepted");
  } finally {
    await client.close();
  }
});

test("a hand-written server reads its keys from the variable that it names", async () => {
  const { key, line } = newKey();
  const { url } = await started("own.js", { OWN_KEYS: line, API_KEYS: newKey().line });
  const client = await connectHttp(url, "modern", { authorization: `Bearer ${key}` });
  try {
    assert.is((await client.listTools()).tools.length, 2);
  } finally {
    await client.close();
  }
});

// In short, the suite judges generated servers alone, which have the same runtime.
if (shortOrLong(false, true)) {
  test("a hand-written server passes the basics of the official conformance suite", async () => {
    const { url } = await started("open.js");
    const local = url.replace("127.0.0.1", "localhost");
    const { scenarios, output } = await runConformanceSuite(local, "2025-11-25", (name) =>
      BASICS.includes(name),
    );
    for (const name of BASICS) assert.is(scenarios.get(name), true, `${name}\n${output}`);
  });
}

test.run();
