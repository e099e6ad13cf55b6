import { test } from "uvu";
import * as assert from "uvu/assert";
import { emit } from "../5-emit/emit.js";
import {
  ABOUT_SERVER,
  formerTools,
  type FormerGeneration,
} from "../5-emit/former/former-generation.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import { normalize } from "../3-normalize/normalize.js";
import { hashContent } from "../6-reconcile/content-hash.js";
import { formerGeneration } from "../6-reconcile/former-generation.js";
import { readLock } from "../6-reconcile/read-lock.js";
import type { JsonObject } from "../model/json.js";
import type { Manifest } from "../model/manifest.js";
import type { ServerModel } from "../model/server-model.js";
import { emittedTexts } from "./emitted-texts.js";
import { generated, identity, toolManifest } from "./emitted-project.js";
import { randomManifest } from "./random-manifest.js";

/** What is taken from the last generation is what would be generated without it. */

/** Seeds of manifests with several tools. */
const SEEDS = [5, 7];
const MARKED = 7;
const TOOLS = "src/generated/tools.ts";
const TYPES = "src/generated/types.ts";

/** A value that is none before for each of what a manifest says of the server. */
const ABOUT: JsonObject = {
  version: "9.8.7",
  title: "A title that is new",
  description: "A description that is new.",
  websiteUrl: "https://new.example/",
  icons: [{ src: "https://new.example/icon.png" }],
  instructions: "Instructions that are new.",
  license: "MIT-0",
  author: "Somebody New",
  repository: "https://new.example/repository",
  keywords: ["new"],
};

/** Ways in which people change a manifest. */
const CHANGES: Readonly<Record<string, (manifest: JsonObject) => JsonObject>> = {
  nothing: (manifest) => manifest,
  "another text": (manifest) => withTools(manifest, (tools) => tools.map(describedFirst)),
  "another title": (manifest) =>
    withTools(manifest, (tools) => tools.map((tool) => ({ ...tool, title: "A title" }))),
  "other annotations": (manifest) =>
    withTools(manifest, (tools) =>
      tools.map((tool) => ({ ...tool, annotations: { readOnlyHint: true } })),
    ),
  "one tool less": (manifest) => withTools(manifest, (tools) => tools.slice(1)),
  "one tool only": (manifest) => withTools(manifest, (tools) => tools.slice(0, 1)),
  "another order": (manifest) => withTools(manifest, (tools) => tools.toReversed()),
  "no resources": (manifest) => ({ ...manifest, resources: [] }),
  "what is said of the server": (manifest) => ({ ...manifest, ...ABOUT }),
  "the same, and another text": (manifest) =>
    withTools({ ...manifest, ...ABOUT }, (tools) => tools.map(describedFirst)),
};

function withTools(
  manifest: JsonObject,
  change: (tools: JsonObject[]) => JsonObject[],
): JsonObject {
  return { ...manifest, tools: change(manifest["tools"] as JsonObject[]) };
}

function describedFirst(tool: JsonObject, index: number): JsonObject {
  return index === 0 ? { ...tool, description: "A text that is new." } : tool;
}

function modelOf(manifest: JsonObject): ServerModel {
  return normalize({ manifestVersion: 1, ...manifest } as unknown as Manifest);
}

/**
 * A former generation of a manifest, with the one that comes after it.
 *
 * @param texts what has become of the files since
 */
function formerOf(
  before: JsonObject,
  files: Readonly<Record<string, string>>,
  after: JsonObject,
  texts = files,
): FormerGeneration {
  return {
    model: () => modelOf(before),
    text: (path) => texts[path],
    bytes: (path) => (texts[path] === undefined ? undefined : Buffer.from(texts[path])),
    hash: (path) => (files[path] === undefined ? undefined : hashContent(Buffer.from(files[path]))),
    tools: formerTools(canonicalManifest(before), canonicalManifest(after)),
  };
}

test("with what was generated before, the same is generated as without", async () => {
  for (const seed of SEEDS) {
    const before = randomManifest(seed);
    const files = await emittedTexts(await emit(modelOf(before)));
    for (const [name, change] of Object.entries(CHANGES)) {
      const after = change(before);
      const former = formerOf(before, files, after);
      const reusing = await emittedTexts(await emit(modelOf(after), { former }));
      assert.equal(reusing, await emittedTexts(await emit(modelOf(after))), `${seed}, ${name}`);
    }
  }
});

const NAMED: JsonObject = { name: "demo", version: "1.0.0" };
const THING = { $ref: "#/$defs/thing_input" };
const INNER: JsonObject = {
  type: "object",
  properties: { one: THING, many: { type: "array", items: THING } },
  $defs: { thing_input: { type: "object", properties: { next: THING } } },
};
const TEXT: JsonObject = { type: "object", properties: { text: { type: "string" } } };
const CLOSED: JsonObject = { ...TEXT, additionalProperties: false };
const DATED: JsonObject = {
  type: "object",
  properties: { day: { type: "string", format: "date" } },
};
const FILLED: JsonObject = {
  type: "object",
  properties: { days: { type: "integer", default: 3 } },
};

/** Tools whose types, names or validators have to do with each other: what is lost with one of them. */
const RELATED: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  "the name of an inner type": { get: INNER, get_input_thing: TEXT, other: TEXT },
  "inner types with defaults": { get: FILLED, get_input_without: FILLED, other: INNER },
  "the types of JSON": { get: TEXT, other: CLOSED },
  "the first of equal validators": { get: DATED, second: DATED, other: TEXT },
  "what only one validator uses": { get: DATED, other: TEXT },
};

test("tools that are as they were come out the same, whatever they have to do with those that are not", async () => {
  for (const [what, schemas] of Object.entries(RELATED)) {
    const tools = Object.entries(schemas).map(([name, inputSchema]) => ({
      name,
      description: "Does it.",
      inputSchema,
    }));
    for (const [index, { name }] of tools.entries()) {
      const others = tools.filter((_, at) => at !== index);
      const changed = tools.map((tool, at) =>
        at === index ? { ...tool, inputSchema: { ...CLOSED, required: ["text"] } } : tool,
      );
      await compare({ tools }, { tools: others }, `${what}: without ${name}`);
      await compare({ tools: others }, { tools }, `${what}: with ${name}`);
      await compare({ tools: changed }, { tools }, `${what}: ${name} anew`);
    }
  }
});

test("what is said of the server is what the test changes", () => {
  assert.equal(new Set(Object.keys(ABOUT)), ABOUT_SERVER);
});

test("what one tool needs of the server is told where only another has changed", async () => {
  const form = { type: "object", properties: { sure: { type: "boolean" } } };
  const asking = {
    name: "ask",
    description: "Asks first.",
    elicitations: { sure: { message: "Sure?", requestedSchema: form } },
  };
  const other = { name: "other", description: "Does it." };
  const transports = [{ type: "http" }];
  const tools = (description: string): JsonObject[] => [{ ...other, description }, asking];
  const [then, now] = ["Does it.", "Does more."].map((text) => ({
    transports,
    tools: tools(text),
  }));
  await compare(then ?? {}, now ?? {}, "a tool that asks");
});

test("a tool that is listed on one line is not taken for what is tested of it", async () => {
  const tools = [{ name: "a", description: "Does it.", inputSchema: { type: "object" } }];
  await compare({ tools }, { tools, transports: [{ type: "http" }] }, "another transport");
  await compare({ tools }, { tools, limits: { depth: 3 } }, "a limit");
  await compare(
    { tools },
    { tools: [...tools, { name: "b", description: "Is new." }] },
    "one more",
  );
});

async function compare(then: JsonObject, now: JsonObject, what: string): Promise<void> {
  const [before, after] = [
    { ...NAMED, ...then },
    { ...NAMED, ...now },
  ];
  const files = await emittedTexts(await emit(modelOf(before)));
  const former = formerOf(before, files, after);
  const reusing = await emittedTexts(await emit(modelOf(after), { former }));
  assert.equal(reusing, await emittedTexts(await emit(modelOf(after))), what);
}

test("what is unchanged is taken from what was generated before, and nothing else is", async () => {
  const before = randomManifest(MARKED);
  const files = await emittedTexts(await emit(modelOf(before)));
  const marked = {
    ...files,
    [TOOLS]: (files[TOOLS] ?? "").replaceAll("\n    definition:", "\n    //\n    definition:"),
  };
  const marks = (text = ""): number => text.split("    //\n").length - 1;
  assert.ok(marks(marked[TOOLS]) > 1);
  const after = CHANGES["another text"]?.(before) ?? {};
  const former = formerOf(before, marked, after);
  const again = await emittedTexts(await emit(modelOf(after), { former }));
  assert.is(marks(again[TOOLS]), marks(marked[TOOLS]) - 1);
  assert.match(again[TOOLS] ?? "", "A text that is new.");
});

test("a text that is not of the pieces that it should have is not used", async () => {
  const manifest = randomManifest(5);
  const files = await emittedTexts(await emit(modelOf(manifest)));
  for (const spoil of [
    (text: string) => `${text}\nexport const more = 1;\n`,
    (text: string) => text.replace(/\n\n/, "\n"),
    (text: string) => text.replace("\n  {\n", "\n  // mine\n\n  {\n"),
    () => "",
  ]) {
    const spoiled = {
      ...files,
      [TOOLS]: spoil(files[TOOLS] ?? ""),
      [TYPES]: spoil(files[TYPES] ?? ""),
    };
    const former = formerOf(manifest, files, manifest, spoiled);
    assert.equal(await emittedTexts(await emit(modelOf(manifest), { former })), files);
  }
});

test("only what the lock proves is known of the last generation", async () => {
  const project = await generated(toolManifest([{ name: "a" }, { name: "b" }]));
  const known = (own = identity): FormerGeneration | undefined =>
    formerGeneration(readLock(project.tree), own, project.tree, {});
  assert.is(known()?.text(TOOLS), project.text(TOOLS));
  assert.is(known()?.text("src/tools/a.ts"), undefined);
  assert.is(known({ ...identity, templates: "other" }), undefined);
  assert.is(known({ ...identity, version: "0.0.9" }), undefined);
  project.edit(TOOLS, (text) => `${text}// mine\n`);
  assert.is(known()?.text(TOOLS), undefined);
  project.edit("mcpwright.lock.json", (text) =>
    text.replace(`"description":"Does a."`, `"description":"Is a."`),
  );
  assert.is(known(), undefined);
});

test.run();
