import { format } from "prettier";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../model/json.js";
import { PAYLOADS } from "../testing/harness/random/hostile-text.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import {
  callOf,
  conditionalType,
  functionOf,
  functionType,
  layOut,
  LINE_WIDTH,
  literalOf,
  membersOf,
  movable,
  objectOf,
  sequenceOf,
  unionOf,
  type Code,
} from "./code.js";
import { writeLiteral } from "./literal.js";

function expectLayout(code: Code, expected: string): void {
  assert.fixture(layOut(code), expected.trim());
}

/** A value whose literal has the given number of columns. */
const texts = (count: number, width: number): string[] =>
  Array.from({ length: count }, () => "x".repeat(width - 2));

test("code of exactly the line width stays on one line", () => {
  const opening = "const a = ";
  for (const [length, isOneLine] of [
    [LINE_WIDTH, true],
    [LINE_WIDTH + 1, false],
  ] as const) {
    const text = "x".repeat(length - opening.length - '[""];'.length);
    const lines = layOut(sequenceOf([opening, literalOf([text]), ";"])).split("\n");
    assert.is(lines.length === 1, isOneLine);
    if (isOneLine) assert.is(lines[0]?.length, length);
  }
});

test("only groups that do not fit are broken, with one line for each entry", () => {
  const value = { short: [1, 2], long: texts(3, 40), empty: {}, none: [] };
  expectLayout(
    sequenceOf(["const a = ", literalOf(value), ";"]),
    `
const a = {
  short: [1, 2],
  long: [
    "${"x".repeat(38)}",
    "${"x".repeat(38)}",
    "${"x".repeat(38)}",
  ],
  empty: {},
  none: [],
};`,
  );
});

test("calls, functions and types are broken into lines as people write them", () => {
  const long = "x".repeat(60);
  expectLayout(
    callOf("start", [
      "definition",
      objectOf([
        ["a", long],
        ["b", long],
        ["own", "own"],
      ]),
    ]),
    `
start(definition, {
  a: ${long},
  b: ${long},
  own,
})`,
  );
  expectLayout(functionOf("(a)", ["return a;"]), "(a) => {\n  return a;\n}");
  expectLayout(
    sequenceOf(["async () => ", movable(`${long}${long}`)]),
    `async () =>\n  ${long}${long}`,
  );
  expectLayout(
    functionType([`a: ${long}`, "b: string"], `Result<${long}>`),
    `(\n  a: ${long},\n  b: string,\n) => Result<${long}>`,
  );
  expectLayout(
    conditionalType(`${long} extends A`, long, "B"),
    `${long} extends A\n  ? ${long}\n  : B`,
  );
  expectLayout(
    membersOf([
      { name: "a?", type: unionOf([long, "B", `{ ${long} }`]), docs: ["One.", "", "Two."] },
      { name: "b", type: membersOf([{ name: "c", type: "D", docs: ["Three."] }]) },
    ]),
    `
{
  /**
   * One.
   *
   * Two.
   */
  a?:
    | ${long}
    | B
    | { ${long} };
  b: {
    /** Three. */
    c: D;
  };
}`,
  );
});

test("calls have the layout that prettier gives them", async () => {
  const entry = (width: number): Code => objectOf([["a", "x".repeat(width)]]);
  const list = (count: number): Code => literalOf(texts(count, 20));
  const calls: readonly Code[] = [
    callOf("await ctx.get", [`\`${"x".repeat(100)}\``]),
    callOf("await ctx.get", [`path\`${"x".repeat(70)}\``, entry(5)]),
    callOf("await ctx.get", [`path\`${"x".repeat(90)}\``, entry(5)]),
    callOf("run", [list(2), entry(60)]),
    callOf("run", [list(4), entry(5)]),
    callOf("run", [list(5), entry(5)]),
    callOf("run", [list(2), list(3)]),
    callOf("run", [list(5)]),
    callOf("run", [entry(50), entry(50)]),
    callOf("run", ["x".repeat(50), functionOf("(a)", ["return a;"])]),
    callOf("run", ["x".repeat(95), functionOf("(a)", ["return a;"])]),
    callOf("run", [callOf("other", ["x".repeat(40), "y".repeat(60)])]),
  ];
  for (const call of calls) {
    const laidOut = `${layOut(sequenceOf(["const a = ", call, ";"]))}\n`;
    assert.fixture(
      laidOut,
      await format(laidOut, { parser: "typescript", printWidth: LINE_WIDTH }),
    );
  }
});

test("in a literal, a name may stand for an object wherever it is", () => {
  const city = { type: "string" };
  const value = { properties: [city, { ...city }], $defs: { city } };
  const literal = literalOf(value, (object) => (object === city ? "definitions.City" : undefined));
  assert.is(
    layOut(literal),
    '{ properties: [definitions.City, { type: "string" }], $defs: { city: definitions.City } }',
  );
});

test("a literal on several lines has the same value as on one line", () => {
  const random = randomNumbers(7);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const value = (depth: number): JsonValue => {
    const members = Array.from({ length: depth === 0 ? 0 : random(6) }, () => value(depth - 1));
    const keys = ["a", "x-y", "1", "größe", "__proto__", "n".repeat(random(60)), pick(PAYLOADS)];
    return pick([
      () => pick([pick(PAYLOADS), "it's", "long ".repeat(random(20)), 0, -1.5, 1e21, true, null]),
      () => members,
      () => Object.fromEntries(members.map((member) => [pick(keys), member])),
    ])();
  };
  for (let index = 0; index < 500; index += 1) {
    const made = value(4);
    const text = layOut(literalOf(made));
    for (const source of [text, writeLiteral(made)]) {
      const evaluated: unknown = new Function(`return (${source});`)();
      assert.is(JSON.stringify(evaluated), JSON.stringify(made), source);
    }
  }
});

test("a function that returns a long object begins on the line of the call", () => {
  const long = objectOf(
    ["one", "two", "three"].map((name) => [name, writeLiteral(name.repeat(9))]),
  );
  const call = callOf("jwt", [sequenceOf(["(env: Env) => (", long, ")"])]);
  assert.is(
    layOut(call),
    `jwt((env: Env) => ({
  one: "oneoneoneoneoneoneoneoneone",
  two: "twotwotwotwotwotwotwotwotwo",
  three: "threethreethreethreethreethreethreethreethree",
}))`,
  );
});

test.run();
