import { test } from "uvu";
import * as assert from "uvu/assert";
import { comparePlainYaml, STORY, tryPlainYaml } from "../../testing/plain-yaml-rounds.js";
import { LIMITS } from "../limits.js";
import { readPlain } from "./read-plain.js";

const PLAIN = {
  "keys and scalars": 'a: 1\nb-c: two words\n$ref: \'#/x\'\n"200": "x\\u00e9\\n"\n/d: it\'s: not\n',
  "words that stand for something":
    "a: null\nb: ~\nc: True\nd: yes\ne: 1.0.0\nf: -3.50\ng: 2026-07-28\n",
  "lists at the margin of their key and further in":
    "a:\n- 1\n- b: 2\n  c: 3\nd:\n  - - 4\n    - 5\n",
  "brackets over several lines": "a: {b: [1, 2],\n  c: {}, d: [],\n\n  e: f g}\n",
  "a literal text": "a: |\n  one\n\n    two \n  three\n\n\nb: |-\n  x\n",
  "a folded text": "a: >\n  one\n  two\n\n  three\nb: >-\n  x\n",
  "a scalar over several lines": "a: one\n  two\n\n  three\nb: 1\n  2\n",
  "values in lines of their own":
    "a:\n  one\n  two\nb:\n  {\n    c: d, # e\n  }\nf:\n  # g\n  'h'\ni:\n  [1,\n  2,]\n".replace(
      " # e",
      "",
    ),
  "quotes over several lines":
    "a: 'b\n  c''d\n\n  e'\nf: \"g \\\\\n  h\\n\n\n  i\"\nj: {k: \"l\n m\"}\n",
  comments: "# one\na: 1 # two\n# three\nb: # four\n  # five\n  c: d#e\n\n# six",
  "JSON on a line":
    'a: {"x\\ny":1,"b":{"\\"":"c"},"d":[{"e":"f"}]}\nb:\n  - {"\\t":{"x":"\\n"}}  \n  - {"a":1} # c\n',
  "a document mark": "# one\n---\na: 1\n",
};

for (const [what, text] of Object.entries(PLAIN)) {
  test(`is read without the library: ${what}`, () => {
    assert.is(comparePlainYaml(text.replace("it's: not", "it's:not")), true);
  });
}

test("all of it together is read without the library", () => {
  assert.is(comparePlainYaml(STORY), true);
});

const DOUBTFUL = [
  ...["", "a\n", "- a\n", "a:\n", "a: b: c\n", "a: [1, 2\n", 'a: "b\n', "a: 1\na: 2\n", " a: 1\n"],
  ...["a: &b 1\n", "a: *b\n", "a: !!str 1\n", "%YAML 1.2\n---\na: 1\n", "a: 1\n---\nb: 2\n"],
  ...["1: a\n", "true: a\n", "? a\n: b\n", "__proto__: 1\n", '{"__proto__": 1}\n', "<<: {}\n"],
  ...["a:\tb\n", "a: 1_000\n b: c\n", "a: 0x1f\n", "a: 1e3\n", "a: 12345678901234567890\n"],
  ...["a: [b: c]\n", "a: {b}\n", "a: {b: c # d\n}\n", "a: -b: c\n"],
  ...["a: |+\n  b\n\n", "a: |2\n   b\n", "a: >\n  b\n    c\n", "a: |\n  b", "a: b\n  # c\n  d\n"],
  ...[
    'a: "\\ud83d"\n',
    'a: "\\x41"\n',
    'a: "b\\\n  c"\n',
    'a: "b\nc"\n',
    "a: 'b'c\n",
    "a: b\r",
    "a: \u2028\n",
  ],
];

test("is left to the library: what is wrong, rare or in doubt", () => {
  for (const text of DOUBTFUL) assert.is(readPlain(text), undefined, JSON.stringify(text));
});

test("lists and mappings are as deep as a manifest may be", () => {
  const nested = (depth: number): string => `a: ${"[".repeat(depth)}${"]".repeat(depth)}\n`;
  assert.is(comparePlainYaml(nested(LIMITS.depth - 1)), true);
  assert.is(readPlain(nested(LIMITS.depth)), undefined);
  const indented = (depth: number): string =>
    Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  assert.is(comparePlainYaml(`${indented(LIMITS.depth)} 1\n`), true);
  assert.is(readPlain(`${indented(LIMITS.depth + 1)} 1\n`), undefined);
});

test("keys are as many as a mapping may have", () => {
  const keys = (count: number): string =>
    Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join("");
  assert.is.not(readPlain(keys(LIMITS.keys)), undefined);
  assert.is(readPlain(keys(LIMITS.keys + 1)), undefined);
});

test("10,000 mutated manifests mean what the library says, or are left to it", () => {
  const plain = Array.from({ length: 10_000 }, (_, seed) => tryPlainYaml(seed)).filter(Boolean);
  assert.ok(plain.length > 1_000, `${plain.length} were plain`);
});

test.run();
