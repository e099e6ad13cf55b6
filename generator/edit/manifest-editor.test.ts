import { test } from "uvu";
import * as assert from "uvu/assert";
import { Document, isCollection, isScalar, parse, visit, type Scalar } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { ManifestEditor } from "./manifest-editor.js";

type Random = (below: number) => number;

function edited(text: string, to: JsonObject): string {
  const editor = new ManifestEditor(text);
  editor.change([], parse(text) as JsonObject, to);
  return editor.text;
}

/** Texts, their new values, and the changed texts. */
const CASES: readonly (readonly [what: string, text: string, to: JsonObject, result: string])[] = [
  ["a plain scalar", "a: 1 # one\nb: 2\n", { a: 3, b: 2 }, "a: 3 # one\nb: 2\n"],
  ["quotes", `a: "x"\nb: 'y'\n`, { a: "it's", b: "z" }, `a: "it's"\nb: 'z'\n`],
  [
    "an entry behind another",
    "a: {b: 1}\nc: 2\n",
    { a: { b: 1, d: 3 }, c: 2 },
    "a: {b: 1, d: 3}\nc: 2\n",
  ],
  ["the last entry", "a:\n  b: 1\n  c: 2\n\nd: 1\n", { a: { b: 1 }, d: 1 }, "a:\n  b: 1\n\nd: 1\n"],
  ["the only entry", "a:\n  b: 1\nd: 1\n", { a: {}, d: 1 }, "a: {}\nd: 1\n"],

  ["a block of text", "a: |\n  one\n  two\nb: 1\n", { a: "three", b: 1 }, "a: three\nb: 1\n"],
  [
    "a text of lines",
    "x:\n  a: one # c\nb: 1\n",
    { x: { a: "one", n: "two\nthree" }, b: 1 },
    "x:\n  a: one # c\n  n: |-\n    two\n    three\nb: 1\n",
  ],
  [
    "JSON",
    '{\n  "a": 1,\n  "b": [1, 2]\n}\n',
    { a: 1, c: "x", b: [2] },
    '{\n  "a": 1,\n  "c": "x",\n  "b": [2]\n}\n',
  ],
  ["a list", "a:\n- x # first\n- y\n", { a: ["x", "z", "y"] }, "a:\n- x # first\n- z\n- y\n"],
];

for (const [what, text, to, result] of CASES.filter(([, text]) => !text.startsWith("-"))) {
  test(`changing ${what} keeps the text around it`, () => {
    assert.is(edited(text, to), result);
  });
}

/** A random value of at most `depth` levels. */
function randomValue(random: Random, depth: number): JsonValue {
  const kind = random(depth > 0 ? 8 : 5);
  if (kind >= 6) {
    const count = 1 + random(4);
    return Object.fromEntries(
      Array.from({ length: count }, () => [
        KEYS[random(KEYS.length)] ?? "k",
        randomValue(random, depth - 1),
      ]),
    );
  }
  if (kind === 5) return Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
  return SCALARS[random(SCALARS.length)] ?? null;
}

const KEYS = ["a", "b", "c", "name", "key: odd", "#k", "1", "- x"];
const SCALARS: readonly JsonValue[] = [
  ...[0, -1.5, true, null, "x", "", "two words", "it's, [odd]", "# no comment", 'a "quote"', "12"],
  ...["line\nline", "line\nline\n", "a: b", "- a", " lead", "{{arg}}", "*", "&a", "null", "y # z"],
];

/** A random layout of a value, with distinct comments. */
function randomLayout(value: JsonObject, random: Random): string {
  const document = new Document(value);
  let comments = 0;
  visit(document, {
    Collection: (_, node) => {
      if (random(3) === 0) node.flow = true;
    },
    Scalar: (_, node) => {
      const types = ["PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"] as const;
      if (typeof node.value === "string" && random(2) === 0)
        node.type = types[random(3)] ?? "PLAIN";
    },
    Pair: (_, { key, value: inner }) => {
      const comment = (): string => ` comment ${(comments += 1)}`;
      if (random(5) === 0) (key as Scalar).commentBefore = comment();
      if (random(5) === 0) (key as Scalar).spaceBefore = true;
      if (random(5) === 0 && isScalar(inner)) inner.comment = comment();
    },
  });
  if (isCollection(document.contents) && random(4) > 0) document.contents.flow = false;
  return document.toString({
    lineWidth: 0,
    indentSeq: random(2) === 0,
    flowCollectionPadding: random(2) === 0,
  });
}

/** Changes random parts of the value, except those that the editor refuses to change. */
function randomChange(
  value: JsonValue,
  path: ManifestPath,
  editor: ManifestEditor,
  random: Random,
): JsonValue {
  const isRefused = (segment: string | number, to?: JsonValue) =>
    editor.whyUnchangeable([...path, segment], to) !== undefined;
  const change = (inner: JsonValue, key: string | number): JsonValue => {
    const other = randomValue(random, 2);
    return random(6) === 0 && !isRefused(key, other)
      ? other
      : randomChange(inner, [...path, key], editor, random);
  };
  if (Array.isArray(value)) {
    const isWhole = value.every((_, index) => !isRefused(index));
    const items = value.map(change);
    if (isWhole && random(4) === 0)
      items.splice(random(items.length + 1), random(2), randomValue(random, 1));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] =>
    random(6) === 0 && !isRefused(key) ? [] : [[key, change(inner, key)]],
  );
  if (random(3) === 0)
    entries.splice(random(entries.length + 1), 0, [`new${random(3)}`, randomValue(random, 2)]);
  return Object.fromEntries(entries);
}

test("random changes of random layouts give the new value, and keep comments and unchanged text", () => {
  for (let seed = 1; seed <= shortOrLong(300, 50_000); seed += 1) {
    const random = randomNumbers(seed);
    const value = {
      first: 1,

      ...Object.fromEntries(
        Array.from({ length: 3 }, (_, index) => [`k${index}`, randomValue(random, 4)]),
      ),
    } as JsonObject;
    const text = randomLayout(value, random);
    assert.equal(parse(text), value, `the layout of seed ${seed}`);
    const editor = new ManifestEditor(text);
    const to = {
      ...(randomChange(value, [], editor, random) as JsonObject),
      k2: value["k2"] ?? null,
    };
    editor.change([], value, to);
    let result = "";
    try {
      result = editor.text;
    } catch (error) {
      assert.unreachable(`seed ${seed}\n${text}\n=>\n${JSON.stringify(to)}\n${String(error)}`);
    }
    const details = `seed ${seed}\n${text}\n=>\n${JSON.stringify(to)}\n${result}`;
    let parsed: unknown;
    try {
      parsed = parse(result);
    } catch (error) {
      assert.unreachable(`${details}\n${String(error)}`);
    }
    assert.equal(parsed, to, details);
    for (const comment of text.match(/# comment \d+/g) ?? []) {
      assert.ok(new RegExp(`${comment}\\b`).test(result), `${comment} is lost: ${details}`);
    }
    const again = new ManifestEditor(result);
    again.change([], to, to);
    assert.is(again.text, result);
  }
});

test.run();
