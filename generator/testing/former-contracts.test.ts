import { test } from "uvu";
import * as assert from "uvu/assert";
import { emit } from "../5-emit/emit.js";
import type { FormerGeneration } from "../5-emit/former/former-generation.js";
import { formerGeneration } from "../6-reconcile/former-generation.js";
import { readLock } from "../6-reconcile/read-lock.js";
import type { JsonObject, JsonValue } from "../model/json.js";
import type { ServerModel } from "../model/server-model.js";
import { TOOL_KINDS, type BenchTool } from "./bench-compiler/bench-tools.js";
import { checkedManifest } from "./checked-manifest.js";
import { emittedTexts } from "./emitted-texts.js";
import { generate, generated, identity } from "./emitted-project.js";
import type { MemoryProject } from "./memory-project.js";
import { randomManifest } from "./random-manifest.js";
import { randomNumbers } from "./random-numbers.js";

/** What a former generation wrote spares work and changes nothing: not a byte of any file. */

const CONTRACT = "test/generated/tools.json";
const SEEDS = 4;
const CHANGES_EACH = 5;

type Random = (below: number) => number;

/** Ways in which people change what contracts are made of. */
const CHANGES: Readonly<Record<string, (manifest: JsonObject, random: Random) => JsonObject>> = {
  "a text": onTool((tool) => ({ ...tool, description: `${String(tool["description"])} More.` })),
  "a property more": onSchema((schema) => ({
    ...schema,
    properties: {
      ...(schema["properties"] as JsonObject),
      added: { type: "string", minLength: 2 },
    },
  })),
  "another order of properties": onSchema((schema) => ({
    ...schema,
    properties: reversed(schema["properties"] as JsonObject),
  })),
  "another order of keywords": onSchema(reversed),
  "a definition": onSchema((schema) => ({
    ...schema,
    $defs: { part: { type: "object", properties: { deeper: { type: "integer", maximum: 4 } } } },
  })),
  "a shared schema": (manifest) => ({
    ...manifest,
    schemas: { Shared: { type: "object", properties: { unit: { enum: ["km", "mi", "m"] } } } },
  }),
  "how references reach the wire": (manifest) => ({
    ...manifest,
    schemaRefs: manifest["schemaRefs"] === "inline" ? "defs" : "inline",
  }),
  "the size of pages": (manifest, random) => ({ ...manifest, pageSize: 1 + random(9) }),
  "limits and cache": (manifest) => ({
    ...manifest,
    limits: { bodyBytes: 4096 },
    cache: { ttlMs: 1000 },
  }),
  "an example": onTool((tool) => ({
    ...tool,
    inputSchema: { type: "object", properties: { first: { type: "string", default: "x" } } },
    outputSchema: { type: "object", properties: { ok: { type: "boolean" } } },
    examples: [
      { name: "one", arguments: { first: "a" }, result: { ok: true } },
      { name: "two", arguments: {}, error: "not found" },
    ],
  })),
  "no example": onTool(({ examples: _left, ...tool }) => tool),
  "an answer in the manifest": onTool(({ outputSchema: _left, examples: _too, ...tool }) => ({
    ...tool,
    content: [{ type: "text", text: "Fixed" }],
  })),
  "a handler again": onTool(({ content: _left, ...tool }) => tool),
  "no output": onTool(({ outputSchema: _left, examples: _too, ...tool }) => tool),
  "an output that is another's input": (manifest, random) => {
    const tools = manifest["tools"] as JsonObject[];
    const { inputSchema } = tools[random(tools.length)] ?? {};
    if (inputSchema === undefined) return manifest;
    return onTool(({ examples: _left, content: _too, ...tool }) => ({
      ...tool,
      outputSchema: inputSchema,
    }))(manifest, random);
  },
  "another name": onTool((tool) => ({ ...tool, name: `${String(tool["name"])}_new` })),
  "a switch": onTool((tool) => ({ ...tool, enabled: tool["enabled"] !== true })),
  "one tool less": (manifest) => ({
    ...manifest,
    tools: (manifest["tools"] as JsonObject[]).slice(1),
  }),
  "another order of tools": (manifest) => ({
    ...manifest,
    tools: (manifest["tools"] as JsonObject[]).toReversed(),
  }),
};

function onTool(change: (tool: JsonObject) => JsonObject) {
  return (manifest: JsonObject, random: Random): JsonObject => {
    const tools = manifest["tools"] as JsonObject[];
    const chosen = random(Math.max(1, tools.length));
    return {
      ...manifest,
      tools: tools.map((tool, index) => (index === chosen ? change(tool) : tool)),
    };
  };
}

function onSchema(change: (schema: JsonObject) => JsonObject) {
  return onTool((tool) => {
    const schema = tool["inputSchema"] as JsonObject | undefined;
    return schema === undefined ? tool : { ...tool, inputSchema: change(schema) };
  });
}

function reversed(object: JsonObject | undefined): JsonObject {
  return Object.fromEntries(Object.entries(object ?? {}).toReversed());
}

/** Tools of all kinds: those of the benchmark have richer schemas. */
function firstManifest(seed: number): JsonObject {
  const manifest = randomManifest(seed);
  const different = TOOL_KINDS.different.tools(12).map(withPattern);
  const some = different.slice(seed % 8, 4 + (seed % 8));
  return {
    ...manifest,
    tools: [...(manifest["tools"] as JsonObject[]), ...some] as JsonValue,
  };
}

/** Adds constraints of which the schema itself does not show how to break them: the contract holds cases of them. */
function withPattern(tool: BenchTool): BenchTool {
  const { inputSchema } = tool;
  const code = { type: "string", pattern: "^[a-z]{2,4}$", maxLength: 3 };
  const step = { type: "integer", multipleOf: 5, minimum: 5 };
  const properties = { ...(inputSchema["properties"] as JsonObject), code, step };
  return { ...tool, inputSchema: { ...inputSchema, properties } };
}

function modelOf(manifest: JsonObject): ServerModel {
  return checkedManifest(JSON.stringify(manifest)).model;
}

function formerOf(
  project: MemoryProject,
  manifest: JsonObject,
  own = identity,
): FormerGeneration | undefined {
  const { canonical } = checkedManifest(JSON.stringify(manifest));
  return formerGeneration(readLock(project.tree), own, project.tree, canonical);
}

/** What is emitted with and without a former generation. */
async function compare(
  manifest: JsonObject,
  former: FormerGeneration | undefined,
  what: string,
): Promise<void> {
  const reusing = await emittedTexts(await emit(modelOf(manifest), { former }));
  assert.equal(reusing, await emittedTexts(await emit(modelOf(manifest))), what);
}

test("whatever changes in a manifest, all files are as without the former generation", async () => {
  const names = Object.keys(CHANGES);
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const random = randomNumbers(seed);
    let manifest = firstManifest(seed);
    const project = await generated(JSON.stringify(manifest));
    for (let round = 0; round < CHANGES_EACH; round += 1) {
      const name = names[(seed * CHANGES_EACH + round) % names.length] ?? "";
      manifest = CHANGES[name]?.(manifest, random) ?? manifest;
      const former = formerOf(project, manifest);
      assert.ok(former?.text(CONTRACT));
      await compare(manifest, former, `${seed}, ${round}: ${name}`);
      await generate(project, JSON.stringify(manifest));
    }
  }
});

test("the cases of schemas that have not changed are taken from there, and no others", async () => {
  const manifest = firstManifest(3);
  const project = await generated(JSON.stringify(manifest));
  const text = formerOf(project, manifest)?.text(CONTRACT) ?? "";
  const marked = text.replaceAll('"breaks": "', '"breaks": "/marked');
  const marks = (of: string): number => of.split('"/marked').length - 1;
  assert.ok(marks(marked) > 8);
  const emitted = async (changed: JsonObject): Promise<string> => {
    const former = formerOf(project, changed);
    assert.ok(former !== undefined);
    const withMarks = {
      ...former,
      text: (path: string) => (path === CONTRACT ? marked : former.text(path)),
      bytes: (path: string) => (path === CONTRACT ? Buffer.from(marked) : former.bytes(path)),
    };
    const files = await emit(modelOf(changed), { former: withMarks });
    return (await emittedTexts(files))[CONTRACT] ?? "";
  };
  assert.is(marks(await emitted(manifest)), marks(marked));
  const described = CHANGES["a text"]?.(manifest, () => 0) ?? {};
  assert.is(marks(await emitted(described)), marks(marked));
  const tools = manifest["tools"] as JsonObject[];
  const last = CHANGES["a property more"]?.(manifest, () => tools.length - 1) ?? {};
  const ofLast = marks(
    JSON.stringify((JSON.parse(marked) as { tools: { refused: [] }[] }).tools.at(-1)?.refused),
  );
  assert.ok(ofLast > 0);
  assert.is(marks(await emitted(last)), marks(marked) - ofLast);
});

test("nothing is taken from an edited file, or from what another mcpwright wrote", async () => {
  const manifest = firstManifest(5);
  const project = await generated(JSON.stringify(manifest));
  assert.is(formerOf(project, manifest, { ...identity, templates: "other" }), undefined);
  const spoil = (text: string): string => text.replaceAll('"breaks": "', '"breaks": "/spoilt');
  project.edit(CONTRACT, spoil);
  assert.is(formerOf(project, manifest)?.text(CONTRACT), undefined);
  const described = CHANGES["a text"]?.(manifest, () => 0) ?? {};
  await compare(described, formerOf(project, described), "edited");
  project.remove(CONTRACT);
  await compare(manifest, formerOf(project, manifest), "removed");
});

test.run();
