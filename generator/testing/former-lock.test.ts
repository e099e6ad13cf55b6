import { test } from "uvu";
import * as assert from "uvu/assert";
import { emit } from "../5-emit/emit.js";
import { hashContent } from "../6-reconcile/content-hash.js";
import { readLock } from "../6-reconcile/read-lock.js";
import type { JsonObject } from "../model/json.js";
import { checkedManifest } from "./checked-manifest.js";
import { emittedTexts } from "./emitted-texts.js";
import { generate, generated } from "./emitted-project.js";
import type { MemoryProject } from "./memory-project.js";

/** What a regeneration takes from the last one is right, whatever people have done to the files in between. */

const TOOLS = ["first", "second", "third", "fourth"];
const HANDLER = "src/tools/first.ts";
const STARTER = "test/tools/first.test.ts";
const GENERATED = [
  "src/generated/tools.ts",
  "src/generated/types.ts",
  "src/generated/validators.js",
  "test/generated/tools.json",
  "SERVER.md",
];

/** What people do, and the files that are then not as the generator would write them. */
const EDITS: Readonly<Record<string, readonly [(project: MemoryProject) => void, string[]]>> = {
  nothing: [() => undefined, []],
  "a starter test deleted": [(project) => project.remove(STARTER), [STARTER]],
  "a starter test of their own": [(project) => project.write(STARTER, "// mine\n"), [STARTER]],
  "a handler deleted": [(project) => project.remove(HANDLER), []],
  "a handler written": [
    (project) =>
      project.edit(HANDLER, (text) => text.replace(/throw new [^;]*;/, "return { ok: true };")),
    [HANDLER],
  ],
  "line ends of Windows": [
    (project) =>
      GENERATED.forEach((path) => project.edit(path, (text) => text.replaceAll("\n", "\r\n"))),
    [],
  ],
  "generated files deleted": [(project) => GENERATED.forEach((path) => project.remove(path)), []],
};

function manifest(changed: string): JsonObject {
  const tools = TOOLS.map((name) => ({
    name,
    description: name === changed ? `Does ${name}, and more.` : `Does ${name}.`,
    inputSchema: {
      type: "object",
      properties: { [name]: { type: "string", minLength: name === changed ? 2 : 1 } },
      required: [name],
    },
    outputSchema: { type: "object", properties: { ok: { type: "boolean" } } },
  }));
  return { name: "demo", version: "1.0.0", tools };
}

test("after a change of one tool, the lock and all files are as after a first generation", async () => {
  const after = JSON.stringify(manifest("third"));
  const fresh = await emittedTexts(await emit(checkedManifest(after).model));
  for (const [what, [edit, own]] of Object.entries(EDITS)) {
    const project = await generated(JSON.stringify(manifest("")));
    edit(project);
    await generate(project, after);
    const state = readLock(project.tree);
    assert.is(state.kind, "read");
    const files = state.kind === "read" ? state.lock.files : new Map<string, never>();
    for (const [path, text] of Object.entries(fresh)) {
      const { owner, hashes = [] } = files.get(path) ?? {};
      if (owner === "scaffold" || owner === "merged") continue;
      assert.equal(hashes, [hashContent(Buffer.from(text))], `${what}: ${path} in the lock`);
      if (own.includes(path)) continue;
      assert.is(project.text(path).replaceAll("\r\n", "\n"), text, `${what}: ${path}`);
    }
    assert.equal((await generate(project, after)).operations, [], what);
  }
});

test.run();
