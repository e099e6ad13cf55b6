import * as assert from "uvu/assert";
import { compileBytes, type CompiledManifest } from "../cli/compile-manifest.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import { inputHash, manifestParts } from "../6-reconcile/locked-manifest.js";
import { knownTools, type KnownTools } from "../6-reconcile/known-tools.js";
import { writeLock } from "../6-reconcile/lock.js";
import { parseLock } from "../6-reconcile/read-lock.js";
import { exampleManifests, mutate, pathsOf } from "./plain-yaml-rounds.js";
import { randomNumbers } from "./random-numbers.js";

type Random = (below: number) => number;

/** Tools about which rules have something to say, or nearly so, alone and together with each other and with the rest. */
export const TOGETHER = `name: together
version: 1.0.0
limits: { elements: 40, depth: 8 }
diagnostics: { MW2302: off, toolBudget: 7 }
transports:
  - { type: http, host: 0.0.0.0 }
  - type: sse
tools:
  - name: read_note
    aliases: [note]
    description: Reads a note.
    scopes: [notes]
    inputSchema: {"type":"object","properties":{"id":{"type":"string","maxLength":9,"description":"Its id."}},"required":["id"]}
  # About the next.
  - name: write_note
    renamedFrom: put_note
    description: Writes a note.
    x-owner: me
    inputSchema:
      type: object
      properties:
        text: { type: string, description: "What it says, \\"as is\\"." }
        tags: { type: array, items: { type: string }, minItems: 1, uniqueItems: true }
    outputSchema: { type: object, properties: { ok: { type: boolean } }, required: [ok] }
    examples:
      - { name: one, arguments: { text: a }, result: { ok: true } }

  - name: page
    description: >-
      Shows a page,
      with what is on it.
    ui: ui/page.html
  - { name: plain, description: Says so., content: [{ type: text, text: "So, {{who}}" }], inputSchema: { type: object, properties: { who: { type: string } } } }
  - name: find
    description: Finds notes.
    inputSchema:
      type: object
      properties:
        words: { type: string, pattern: "^[a-z ]+$" }
        first: { type: integer, default: 3 }
  - name: most
    description: Says how many notes there may be.
    inputSchema: { type: object, properties: { of: { type: array, minItems: 5, description: Which. } }, required: [of] }
  - { name: last, description: Is the last., content: [{ type: text, text: Last. }] }
resources:
  - { uri: "ui://tools/find", name: a page, text: hello }
`;

const SHARED = `schemas:
  Size: { type: integer, minimum: 1, default: 3 }
  Unused: { type: string }
`;

/** With shared schemas, of which one is judged by all that lead to it. */
const SHARING =
  SHARED +
  TOGETHER.replace(
    "first: { type: integer, default: 3 }",
    'first: { $ref: "#/schemas/Size", description: The first. }\n      required: [first]',
  );

/** With something to find in a tool. */
const FAULTY = TOGETHER.replace('"maxLength":9,', '"maxLength":9,"default":"x",');

const TEXTS = [TOGETHER, SHARING, FAULTY, ...exampleManifests()];

const generator = { version: "1.0.0", templates: "t" };
const compile = (text: string, known?: KnownTools): CompiledManifest =>
  compileBytes(
    "mcp.yaml",
    { bytes: Buffer.from(text), diagnostics: [] },
    { flags: new Set() },
    known,
  );

const knownOf = new Map(TEXTS.map((text) => [text, knownAfter(text)]));
/** Those of which something is known. */
const SOME = TEXTS.filter((text) => knownOf.get(text) !== undefined);

/** What is known after a generation from a manifest. */
function knownAfter(text: string): KnownTools | undefined {
  const { manifest, toolSources, diagnostics } = compile(text);
  if (manifest === undefined || toolSources === undefined)
    throw new Error(`not valid: ${JSON.stringify(diagnostics)}`);
  const canonical = canonicalManifest(manifest.value);
  const lock = writeLock({
    generator: generator.version,
    templates: generator.templates,
    input: inputHash(generator.version, generator.templates, manifestParts(canonical)),
    manifest: canonical,
    toolSources: toolSources(),
    files: new Map(),
    removed: new Map(),
  });
  return knownTools(parseLock(lock), generator);
}

/**
 * Changes a manifest and compiles it with what is known of it, and without.
 *
 * @returns how many tools were not read, and how much was found
 * @throws where anything differs
 */
export function tryKnownTools(seed: number): { readonly known: number; readonly found: number } {
  const random = randomNumbers(seed);
  const before = SOME[random(SOME.length)] ?? TOGETHER;
  let text = before;
  for (let count = random(3); count > 0; count--) text = changeTools(text, random);
  if (random(2) === 0) text = changeRest(text, random);
  else if (random(2) === 0) text = mutate(text, random);
  return compareCompiled(text, knownOf.get(before));
}

/** Compiles a manifest with what is known after another, and without; says the same as {@link tryKnownTools}. */
export function compareAfter(before: string, text: string): ReturnType<typeof tryKnownTools> {
  return compareCompiled(text, knownAfter(before));
}

function compareCompiled(
  text: string,
  known: KnownTools | undefined,
): { known: number; found: number } {
  const [spared, whole] = [compile(text, known), compile(text)];
  assert.equal(spared.diagnostics, whole.diagnostics, text);
  const found = whole.diagnostics.length;
  const { manifest } = whole;
  if (manifest === undefined || spared.manifest === undefined) {
    assert.is(spared.manifest, manifest, text);
    return { known: 0, found };
  }
  const written = ({ value }: typeof manifest) => JSON.stringify(canonicalManifest(value));
  assert.is(written(spared.manifest), written(manifest), text);
  for (const path of pathsOf(manifest.value, [])) {
    const place = spared.manifest.locate(path, "value");
    assert.equal(place, manifest.locate(path, "value"), `${path.join()}\n${text}`);
  }
  if (whole.model !== undefined) {
    assert.is(JSON.stringify(spared.model?.()), JSON.stringify(whole.model()), text);
    assert.equal([...(spared.toolSources?.() ?? [])], [...(whole.toolSources?.() ?? [])], text);
  }
  return { known: spared.manifest.knownTools?.size ?? 0, found };
}

/** What else of a manifest can tell on its tools, or seem to. */
const REST: readonly (readonly [RegExp, string])[] = [
  [/version: 1.0.0/, "version: 1.0.1"],
  [/version: 1.0.0/, "version: 1.0.0\ndescription: Reads a note.\ninstructions: Ask {{who}}."],
  [/version: 1.0.0/, "version: 1.0.0\nkeywords: [notes]\nicons: []\nlicense: MIT"],
  [/elements: \d+/, "elements: 2"],
  [/depth: 8/, "depth: 1"],
  [/toolBudget: \d+/, "toolBudget: 3"],
  [/MW2302: off, /, ""],
  [/host: [\d.]+/, "host: 127.0.0.1"],
  [/ui:\/\/tools\/find/, "ui://tools/page"],
  [/schemas:\n/, "schemaRefs: inline\nschemas:\n"],
  [/minimum: 1, default: 3/, "minimum: 1"],
  [/^ {2}- /gm, "- "],
];

function changeRest(text: string, random: Random): string {
  const [sought, instead] = REST[random(REST.length)] ?? [/$/, ""];
  return text.replace(sought, instead);
}

/** A tool comes, goes, moves or gets something of another. */
function changeTools(text: string, random: Random): string {
  const parts = text.split(/^(?=  - )/m);
  const [one, other] = [random(parts.length), random(parts.length)];
  const [part = "", another = ""] = [parts[one], parts[other]];
  switch (random(8)) {
    case 0:
      return parts.toSpliced(one, 1).join("");
    case 1:
      return parts.toSpliced(one, 0, another).join("");
    case 2:
      return parts.with(one, another).with(other, part).join("");
    case 3: {
      const name = /name: \w+/.exec(another)?.[0] ?? "name: x";
      return parts.with(one, part.replace(/name: \w+/, name)).join("");
    }
    case 7:
      return parts.with(one, part.replace(/name: \w+/, "name: put_note")).join("");
    case 4:
      return parts.with(one, part.replace(/aliases: .*|scopes: .*/, "")).join("");
    case 5: {
      const name = /name: (\w+)/.exec(another)?.[1] ?? "x";
      return parts.with(one, part.replace(/aliases: \[.*/, `aliases: [${name}]`)).join("");
    }
    default: {
      const told = /description: .+/.exec(another)?.[0] ?? "description: Does it.";
      return parts.with(one, part.replace(/description: .+/, told)).join("");
    }
  }
}
