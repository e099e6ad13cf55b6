import { test } from "uvu";
import * as assert from "uvu/assert";
import { emit } from "../5-emit/emit.js";
import { hashContent } from "../6-reconcile/content-hash.js";
import { readLock } from "../6-reconcile/read-lock.js";
import type { JsonObject } from "../model/json.js";
import { checkedManifest } from "./checked-manifest.js";
import { emittedTexts } from "./emitted-texts.js";
import { generate, generated } from "./emitted-project.js";
import { LOCK_PATH } from "../6-reconcile/lock.js";
import type { Plan } from "../model/plan.js";
import { MemoryProject } from "./memory-project.js";

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

/** What else people do to files, here of tools that are as they were. */
const MORE_EDITS: Readonly<Record<string, (project: MemoryProject) => void>> = {
  "all handlers deleted": (project) =>
    TOOLS.forEach((name) => project.remove(`src/tools/${name}.ts`)),
  "a handler without its export": (project) => project.write(HANDLER, "const mine = 1;\n"),
  "a handler that nothing exports any more": (project) =>
    project.edit(HANDLER, (text) => text.replace(/^export /m, "// export ")),
  "a handler that cannot be read": (project) => project.write(HANDLER, "export const first = {\n"),
  "a handler with conflict markers": (project) =>
    project.edit(HANDLER, (text) => `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`),
  "a folder where a handler was": (project) => {
    project.remove(HANDLER);
    project.write(`${HANDLER}/mine.ts`, "// mine\n");
  },
  "a folder where a starter test was": (project) => {
    project.remove(STARTER);
    project.write(`${STARTER}/mine.ts`, "// mine\n");
  },
  "a handler in other letter case": (project) => {
    project.remove(HANDLER);
    project.write("src/tools/First.ts", "// mine\n");
  },
  "generated files written in": (project) =>
    GENERATED.forEach((path) => project.edit(path, (text) => `${text}\n`)),
};

/** The manifest after some change, and the tools that it leaves as they were. */
const CHANGES: Readonly<Record<string, string>> = {
  "another text and schema": JSON.stringify(manifest("third")),
  "another text": JSON.stringify(manifest("")).replace("Does third.", "Does the third."),
  "a title": JSON.stringify(manifest("")).replace(
    '"name":"third"',
    '"name":"third","title":"Third"',
  ),
  "a tool less": JSON.stringify(without(manifest(""), "second")),
  "another name": JSON.stringify(manifest("")).replace(
    '"name":"first"',
    '"name":"fifth","renamedFrom":"first"',
  ),
};

function without(whole: JsonObject, name: string): JsonObject {
  const tools = whole["tools"] as JsonObject[];
  return { ...whole, tools: tools.filter((tool) => tool["name"] !== name) };
}

test("a plan is the same with what the last generation tells and without", async () => {
  const edits = {
    ...Object.fromEntries(Object.entries(EDITS).map(([what, [edit]]) => [what, edit])),
  };
  const original = await generated(JSON.stringify(manifest("")));
  for (const [what, edit] of Object.entries({ ...edits, ...MORE_EDITS })) {
    for (const [change, after] of Object.entries(CHANGES)) {
      const [knowing, other] = [new MemoryProject({}, original), new MemoryProject({}, original)];
      edit(knowing);
      edit(other);
      other.edit(LOCK_PATH, (text) => text.replace(/"input": "\w{4}/, '"input": "0000'));
      const [plan, expected] = [await generate(knowing, after), await generate(other, after)];
      assert.equal(told(plan), told(expected), `${what}, ${change}`);
      assert.equal(knowing.snapshot(), other.snapshot(), `${what}, ${change}`);
    }
  }
});

/** What a plan says, and the steps that it takes. */
function told({ changes, diagnostics, operations }: Plan): object {
  const steps = operations.map(({ kind, path }) => `${kind} ${path}`);
  return { changes, diagnostics, steps };
}

test.run();
