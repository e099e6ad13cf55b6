import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { randomNumbers } from "../testing/random-numbers.js";
import { validateManifest } from "./validate.js";

/** Nothing that a file can hold may throw; runs are repeatable. */

const ROUNDS = 1000;

const WHOLE = `name: demo
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

/** Loads and validates; what throws is reported with the content that made it. */
function answer(content: Buffer): void {
  try {
    const { manifest, diagnostics } = loadManifest("mcp.yaml", content);
    assert.ok(manifest !== undefined || diagnostics.length > 0);
    if (manifest !== undefined) validateManifest(manifest);
  } catch (error) {
    throw new Error(`on ${JSON.stringify(content.toString())}`, { cause: error });
  }
}

test("the whole manifest, before it is mutated, has no error", () => {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(WHOLE));
  assert.equal(diagnostics, []);
  const found = manifest === undefined ? [] : validateManifest(manifest).diagnostics;
  assert.equal(
    found.filter(({ severity }) => severity === "error"),
    [],
  );
});

test("mutated manifests never throw", () => {
  const random = randomNumbers(1);
  for (let round = 0; round < ROUNDS; round++) answer(Buffer.from(mutate(WHOLE, random)));
});

test("values in the wrong places never throw", () => {
  const random = randomNumbers(2);
  const values = [null, true, 7, "text", [], {}, [[]], [null], { a: null }, ["x"], { name: 1 }];
  const { value } = loadManifest("mcp.yaml", Buffer.from(WHOLE)).manifest ?? {};
  for (let round = 0; round < ROUNDS; round++) {
    const copy = structuredClone(value) as Record<string, unknown>;
    replaceSomewhere(copy, values[random(values.length)], random);
    answer(Buffer.from(JSON.stringify(copy)));
  }
});

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

test("random bytes and random YAML pieces never throw", () => {
  const random = randomNumbers(3);
  for (let round = 0; round < ROUNDS; round++) {
    const length = random(60);
    answer(Buffer.from(Array.from({ length }, () => random(256))));
    answer(Buffer.from(Array.from({ length }, () => PIECES[random(PIECES.length)]).join("")));
  }
});

test.run();
