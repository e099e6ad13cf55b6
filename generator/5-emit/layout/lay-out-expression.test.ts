import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../model/json.js";
import { PAYLOADS } from "../../testing/hostile-text.js";
import { randomNumbers } from "../../testing/random-numbers.js";
import { writeLiteral } from "../../text/literal.js";
import { layOutElement, onOneLine } from "./lay-out-expression.js";
import { literalExpression, objectExpression } from "./literal-expression.js";
import { layOutWithPrettier } from "./prettier-layout.js";

/** Keeps a list in lines. */
const filler = `"${"x".repeat(120)}"`;

async function prettierElements(sources: readonly string[]): Promise<string> {
  const text = await layOutWithPrettier(`const list = [${[...sources, filler].join(", ")}];`);
  return text.slice("const list = [\n".length, text.indexOf(`  ${filler}`));
}

const evaluate = (expression: string): unknown => new Function(`return (${expression});`)();

const random = randomNumbers(7);

function randomText(): string {
  const words = ["a", "city", "it's", '"quoted"', "é", "x".repeat(random(60)), "…", ...PAYLOADS];
  return Array.from({ length: random(9) }, () => words[random(words.length)]).join(" ");
}

function randomKey(): string {
  const keys = [
    "a",
    "type",
    "title",
    "description",
    "x-y",
    "1",
    "größe",
    "n".repeat(1 + random(90)),
  ];
  return keys[random(keys.length)] ?? "";
}

function randomJson(depth: number): JsonValue {
  const kind = random(depth === 0 ? 5 : 9);
  if (kind < 2) return randomText();
  if (kind === 2) return [0, -1, 1.5, 1e21, 1e-7, 123456789][random(6)] ?? 0;
  if (kind === 3) return random(2) === 0;
  if (kind === 4) return null;
  const members = Array.from({ length: random(6) }, () => randomJson(depth - 1));
  if (kind < 7) return members;
  return Object.fromEntries(members.map((member) => [randomKey(), member]));
}

test("elements of lists are laid out as prettier does it", async () => {
  const sources = Array.from({ length: 3_000 }, (_, index) => {
    const literal = writeLiteral({ definition: randomJson(index % 5), other: randomJson(1) });
    return `entry<Entry>(${literal.slice(0, -2)}, check: checks.input, by: all["a b"], all })`;
  });
  let own = 0;
  for (let from = 0; from < sources.length; from += 100) {
    const known = sources.slice(from, from + 100).flatMap((source) => {
      const text = layOutElement(source, "  ");
      return text === undefined ? [] : [{ source, text: `${text}\n` }];
    });
    own += known.length;
    const expected = await prettierElements(known.map(({ source }) => source));
    assert.equal(known.map(({ text }) => text).join(""), expected);
  }
  assert.ok(own > sources.length / 3, `${own} of ${sources.length}`);
});

test("what only prettier knows is left to it", () => {
  for (const source of [
    "(input) => input",
    '"漢字"',
    "[1, 2",
    "{ a: b + c }",
    '{ ["__proto__"]: 1 }',
    `[${Array.from({ length: 60 }, (_, index) => index).join(", ")}]`,
    `{ key: ${"name.".repeat(30)}end }`,
    "`text`",
    "{ a: 1 } as const",
  ]) {
    assert.is(layOutElement(source, "  "), undefined, source);
  }
});

test("a value and what is written of it are laid out alike", () => {
  let laidOut = 0;
  for (let count = 0; count < 3000; count += 1) {
    const value = randomJson(4);
    const tree = literalExpression(value);
    const source = writeLiteral(value);
    const layout = layOutElement(source, "  ");
    assert.is(layOutElement(tree, "  "), layout);
    assert.is(
      layOutElement(
        objectExpression([
          ["it", tree],
          ["source", source],
        ]),
        "  ",
      ),
      layOutElement(`{ it: ${source}, source: ${source} }`, "  "),
    );
    assert.equal(evaluate(onOneLine(tree)), evaluate(source));
    if (layout !== undefined) laidOut += 1;
  }
  assert.ok(laidOut > 1000, `${laidOut} are laid out`);
});

test.run();
