import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import { plan } from "../plan.js";
import { checkedManifest } from "../testing/harness/projects/checked-manifest.js";
import {
  careful,
  codes,
  generate,
  generated,
  VERSION,
} from "../testing/harness/projects/emitted-project.js";
import type { MemoryProject } from "../testing/harness/projects/memory-project.js";
import { LOCK_PATH } from "./lock.js";

/** A tool with a body or a handler, and a template whose variable a body or code completes. */
function manifestOf(body: JsonObject, complete: JsonObject | "code"): string {
  const template = { name: "part", uriTemplate: "part://{id}", description: "A part." };
  return JSON.stringify({
    ...{ name: "demo", version: "1.0.0" },
    upstreams: { api: { baseUrl: "https://api.example" } },
    databases: { shop: { type: "sqlite", file: "shop.db" } },
    tools: [
      { name: "look_up", description: "Looks it up.", inputSchema: { type: "object" }, ...body },
    ],
    resourceTemplates: [{ ...template, complete: { id: complete } }],
  });
}

const QUERY = "select id from parts where id like :id";
const WITH_BODIES = manifestOf(
  { http: { upstream: "api", path: "/things" } },
  { sql: { database: "shop", query: QUERY } },
);
const WITH_CODE = manifestOf({}, "code");

/** Edits the lock by hand; a value of undefined takes its key away. */
function editLock(project: MemoryProject, edited: (key: string, value: unknown) => unknown): void {
  project.edit(LOCK_PATH, (text) => JSON.stringify(JSON.parse(text), edited));
}

async function planOf(project: MemoryProject, manifest: string, version = VERSION): Promise<Plan> {
  return plan(checkedManifest(manifest), project.tree, version, careful);
}

const DAMAGES: Readonly<Record<string, (key: string, value: unknown) => unknown>> = {
  "a request without its path": (key, value) =>
    key === "path" && value === "/things" ? undefined : value,
  "a path that is a number": (_key, value) => (value === "/things" ? 1 : value),
  "a completion without its body": (key, value) => (key === "id" ? {} : value),
};

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`a lock whose manifest has ${what} is refused, and nothing is written`, async () => {
    const project = await generated(WITH_BODIES);
    editLock(project, damage);
    for (const manifest of [WITH_CODE, WITH_BODIES]) {
      const refused = await planOf(project, manifest);
      assert.equal([codes(refused), refused.operations], [["MW4008"], []]);
      assert.match(
        String(refused.diagnostics[0]?.message),
        /the lock cannot be read: in its manifest, /,
      );
    }
    const byLater = await planOf(project, WITH_CODE, "0.9.0");
    assert.equal(codes(byLater), ["MW4013"], "what a later version wrote may look so");
  });
}

test("keys of other versions in the manifest of a lock do not matter, and former bodies are kept", async () => {
  const project = await generated(WITH_BODIES);
  editLock(project, (key, value) => (key === "http" ? { ...(value as object), mood: 1 } : value));
  await generate(project, WITH_CODE);
  assert.match(project.text("src/tools/look-up.ts"), /get\("\/things"\)/);
});

test.run();
