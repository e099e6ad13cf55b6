import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";
import { normalize } from "../../../3-normalize/normalize.js";
import { validManifest } from "../../../model/loaded-manifest.js";
import { randomNumbers } from "../../harness/runner/random-numbers.js";

type Random = (below: number) => number;

/** A manifest without errors that uses much of the language. */
export const WHOLE = `name: demo
version: "1.0.0"
icons: [{src: "https://a.example/i.png", sizes: [48x48]}]
transports: [{type: stdio}, {type: http, port: 3000, allowedOrigins: ["https://a.example"]}]
env: {KEY: {secret: true}, MODE: {enum: [a, b], default: a}}
schemas: &shared {City: {type: string, maxLength: 80}}
diagnostics: {MW2302: off, toolBudget: 3}
tools:
  - name: echo
    description: Say it back
    inputSchema: {type: object, properties: {text: {$ref: "#/schemas/City"}}, required: [text]}
    content: [{type: text, text: "You said {{text}}{{#text}}!{{/text}}"}]
    examples: [{name: one, arguments: {text: hello}, text: hello}]
resources:
  - {uri: "demo://readme", name: readme, mimeType: text/plain, text: hello}
resourceTemplates:
  - {uriTemplate: "demo://note/{id}{?a,b}", name: note, complete: {id: [x]}}
prompts:
  - name: greet
    arguments: [{name: who, required: true, complete: [you]}]
    messages: [{role: user, content: {type: text, text: "Hello {{who}}"}}]
x-copy: *shared
`;

const PIECES = [
  ..."[]{}:,#&*!|>%@?-\"'\\ \n\t\0\u0085\u2028\ufeff",
  "- ",
  ": ",
  "? ",
  "<<: ",
  "&a ",
  "*a ",
  "*shared",
  "!!str ",
  "---\n",
  "...\n",
  "%YAML 1.2\n",
  "__proto__: ",
  "constructor",
  "null",
  "true",
  "-1",
  "1e999",
  "9007199254740993",
  "{}",
  "[]",
  "[[",
  "{{who}}",
  "{{#who}}",
  "$ref: ",
  '"\\ud800"',
  "\r\n",
  "  ",
];

function mutate(text: string, random: (below: number) => number): string {
  let mutated = text;
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(mutated.length + 1);
    const removed = random(3) === 0 ? random(12) : 0;
    const piece =
      random(4) === 0 ? mutated.slice(at, at + random(30)) : PIECES[random(PIECES.length)];
    mutated = mutated.slice(0, at) + piece + mutated.slice(at + removed);
  }
  return mutated;
}

/** Values of the wrong type, or of none. */
const VALUES = [null, true, 7, "text", [], {}, [[]], [null], { a: null }, ["x"], { name: 1 }];

function replaceSomewhere(
  node: Record<string, unknown>,
  value: unknown,
  random: (below: number) => number,
): void {
  const keys = Object.keys(node);
  const key = keys[random(keys.length)];
  if (key === undefined) return;
  const child = node[key];
  const isLeaf = typeof child !== "object" || child === null || Object.keys(child).length === 0;
  if (isLeaf || random(4) === 0) node[key] = value;
  else replaceSomewhere(child as Record<string, unknown>, value, random);
}

/** The kinds of content that are made: none of them, whatever it is, may do harm. */
const KINDS: readonly ((random: Random) => Buffer)[] = [
  (random) => Buffer.from(mutate(WHOLE, random)),
  (random) => {
    const { value } = loadManifest("mcp.yaml", Buffer.from(WHOLE)).manifest ?? {};
    const copy = structuredClone(value) as Record<string, unknown>;
    replaceSomewhere(copy, VALUES[random(VALUES.length)], random);
    return Buffer.from(JSON.stringify(copy));
  },
  (random) => Buffer.from(Array.from({ length: random(60) }, () => random(256))),
  (random) => {
    const pieces = Array.from({ length: random(60) }, () => PIECES[random(PIECES.length)]);
    return Buffer.from(pieces.join(""));
  },
];

/**
 * Makes one content for a seed, loads, validates and, where nothing is wrong, normalizes it.
 *
 * @returns whether it had no error
 * @throws Error that quotes the content, where anything but diagnostics comes of it
 */
export function tryManifest(seed: number): boolean {
  const random = randomNumbers(seed);
  const content = KINDS[seed % KINDS.length]!(random);
  try {
    return answer(content);
  } catch (error) {
    throw new Error(`seed ${seed}: ${JSON.stringify(content.toString())}`, { cause: error });
  }
}

function answer(content: Buffer): boolean {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", content);
  if (manifest === undefined) {
    if (diagnostics.length === 0) throw new Error("neither a manifest nor a diagnostic");
    return false;
  }
  const found = validateManifest(manifest);
  if (found.some(({ severity }) => severity === "error")) return false;
  normalize(validManifest(manifest.value));
  return true;
}
