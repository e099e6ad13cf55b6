import { test } from "uvu";
import * as assert from "uvu/assert";
import { compareAfter, tryKnownTools } from "./known-tools-rounds.js";

/** Manifests that `npm test` tries; `npm run fuzz:known-tools` tries as many as are asked for. */
const ROUNDS = 1_500;

test(`${ROUNDS} changed manifests mean the same with tools that are known and are not read`, () => {
  let [known, found, both] = [0, 0, 0];
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const round = tryKnownTools(seed);
    if (round.known > 0) known += 1;
    if (round.found > 0) found += 1;
    if (round.known > 0 && round.found > 0) both += 1;
  }
  assert.ok(known > ROUNDS / 5, `${known} had known tools`);
  assert.ok(found > ROUNDS / 4, `in ${found} something was found`);
  assert.ok(both > ROUNDS / 20, `${both} had both`);
});

const tools = (...more: readonly string[]): string =>
  ["name: x", "version: 1.0.0", "tools:", " - name: a", "   description: A.", ...more, ""].join(
    "\n",
  );

test("what is said of the server changes nothing about what is known of tools, and limits do", () => {
  const before = tools(...REST, "x-y: 1");
  const about = 'version: 2.0.0\ntitle: T\ninstructions: "Ask {{it}}."\nkeywords: [a]';
  assert.is(compareAfter(before, before.replace("version: 1.0.0", about)).known, 1);
  const limited = before.replace("tools:", "limits: { depth: 4 }\ntools:");
  assert.is(compareAfter(before, limited).known, 0);
});

const REST = [" - name: b", "   description: B."];

test("a list that a known tool has come to end ends where it did, whatever key follows", () => {
  const before = tools(...REST, " - name: c", "   description: C.", "x-y: 1");
  assert.is(compareAfter(before, tools(...REST, "x-y: 1")).known, 1);
});

test("a tool that takes from the work which all schemas share is read again: what is left of it depends on others", () => {
  const toolWith = (name: string, schema: string): string[] => [
    ` - name: ${name}`,
    `   description: Does ${name}.`,
    `   inputSchema: { type: object, properties: { a: ${schema} } }`,
  ];
  const numbers = Array.from({ length: 200 }, (_, index) => index).join(", ");
  const listed = "type: array, items: { type: integer }, description: Some.";
  const before = tools(
    ...toolWith("few", '{ type: string, pattern: "^[a-z]+$", maxLength: 9, description: Some. }'),
    ...toolWith("tangled", `{ type: string, pattern: "^(?:${"ab|".repeat(99)}b)$", maxLength: 9 }`),
    ...toolWith("one", `{ ${listed}, default: [1] }`),
    ...toolWith("many", `{ ${listed}, default: [${numbers}] }`),
    ...toolWith("too_many", `{ ${listed}, default: [${numbers}] }`),
    ...REST,
  );
  assert.equal(compareAfter(before, `${before} - { name: c, description: C. }\n`).known, 4);
});

test.run();
