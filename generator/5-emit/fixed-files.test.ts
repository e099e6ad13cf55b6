import { dirname, join } from "node:path/posix";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Manifest, ManifestTransport } from "../model/manifest.js";
import { checkedManifest } from "../testing/checked-manifest.js";
import { fixedFiles } from "./fixed-files.js";
import { copiedPath, runtimePaths } from "./runtime-files.js";

const TRANSPORTS: readonly ManifestTransport[] = [
  { type: "stdio" },
  { type: "http" },
  { type: "sse" },
  { type: "websocket" },
  { type: "custom", name: "pigeon" },
];

/** Items, and settings of the server, that need parts of the runtime which others do not. */
const ITEMS: readonly Partial<Manifest>[] = [
  {},
  { tools: [{ name: "a", description: "x" }] },
  { tools: [{ name: "a", description: "x", uses: ["roots"], scopes: ["s"] }] },
  { resources: [{ uri: "x://a", name: "a" }] },
  { resourceTemplates: [{ uriTemplate: "x://{a}", name: "a", complete: { a: ["1"] } }] },
  { prompts: [{ name: "a", arguments: [{ name: "b", complete: ["1"] }] }] },
];

/** The copied files of a project, by their paths. */
async function copies(manifest: Partial<Manifest>): Promise<ReadonlyMap<string, string>> {
  const whole = { name: "demo", version: "1.0.0", ...manifest };
  const files = await fixedFiles(checkedManifest(JSON.stringify(whole)).model);
  return new Map(files.map(({ path, content }) => [path, content]));
}

/** Types too: the project is compiled. */
const IMPORT = /(?:\bfrom |\bimport\()"(\.[^"]+)\.js"/g;

/** The paths of all files that any project has a copy of. */
const WHOLE: ReadonlySet<string> = new Set(runtimePaths().map(copiedPath));

function* lost(files: ReadonlyMap<string, string>): Generator<string> {
  for (const [path, content] of files) {
    if (!path.endsWith(".ts")) continue;
    for (const [, name = ""] of content.matchAll(IMPORT)) {
      const target = `${join(dirname(path), name)}.ts`;
      // What the tests' clients need is made for each project.
      const isMade = target === "test/generated/suite/clients/client-parts.ts";
      if (!isMade && WHOLE.has(target) && !files.has(target)) yield `${path} imports ${target}`;
    }
  }
}

test("whatever a project leaves out of the runtime, nothing that it has needs it", async () => {
  for (let chosen = 1; chosen < 2 ** TRANSPORTS.length; chosen++) {
    const transports = TRANSPORTS.filter((_, index) => (chosen >> index) % 2 === 1);
    const manifest = { transports, ...ITEMS[chosen % ITEMS.length] };
    assert.equal([...lost(await copies(manifest))], [], JSON.stringify(manifest));
  }
  const env = { CERT: { description: "x" }, KEY: { description: "x" } };
  const tls = { cert: "CERT", key: "KEY" };
  const http = { type: "http", sessions: "memory", metrics: "/m", tls } as const;
  for (const items of ITEMS) {
    const manifest = { transports: [http], env, ...items };
    assert.equal([...lost(await copies(manifest))], [], JSON.stringify(manifest));
  }
});

test.run();
