import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonValue } from "../model/json.js";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import { mergeJson } from "./merge-json.js";

const base: JsonObject = { name: "demo", scripts: { build: "tsc" }, files: ["dist"] };

function merged(ours: JsonObject, text: string, from = base): string {
  return mergeJson(from, ours, text)?.text ?? "not JSON";
}

test("if the generated values did not change, the user's text stays byte for byte", () => {
  const text = '\t{ "scripts":{},\r\n "zeta" : [1,2 ]}';
  assert.is(merged(base, text), text);
});

test("guarantee 17: order, indentation and comments of the user stay around what is added", () => {
  const text = `{
    // my name
    "zeta": [1,2], // note
    "scripts": { "mine": "x", "build": "tsc" },
    "name": "demo", /* last */
}
`;
  const ours = {
    ...base,
    type: "module",
    scripts: { build: "tsc", test: "uvu" },
    engines: { node: "20" },
  };
  assert.is(
    merged(ours, text, { ...base, files: ["dist"] }),
    `{
    // my name
    "zeta": [1,2], // note
    "scripts": { "mine": "x", "build": "tsc", "test": "uvu" },
    "name": "demo", /* last */
    "type": "module",
    "engines": {
        "node": "20"
    },
}
`,
  );
});

test("a key that the user may change is added if it is absent, and never changed again", () => {
  const ours = { name: "demo", version: "0.1.0" };
  const merge = (from: JsonObject, text: string): string | undefined => {
    const result = mergeJson(from, ours, text, ["version"]);
    assert.equal(result?.conflicts, []);
    return result?.text;
  };
  assert.is(
    merge({}, '{\n  "name": "demo"\n}\n'),
    '{\n  "name": "demo",\n  "version": "0.1.0"\n}\n',
  );
  const own = '{"name":"demo","version":"3.2.1"}';
  for (const from of [{}, ours, { ...ours, version: "3.2.1" }, { ...ours, version: "1.0.0" }]) {
    assert.is(merge(from, own), own);
  }
});

test("a new key is inserted after its neighbour in the generated file", () => {
  const text = '{\n  "name": "demo",\n  "zeta": 1\n}\n';
  assert.is(
    merged({ name: "demo", type: "module" }, text, { name: "demo" }),
    '{\n  "name": "demo",\n  "type": "module",\n  "zeta": 1\n}\n',
  );
});

test("guarantee 4: CRLF, tabs and a missing final newline stay", () => {
  const text = '{\r\n\t"name": "demo" // me\r\n}';
  assert.is(
    merged({ name: "demo", a: [1] }, text, { name: "demo" }),
    '{\r\n\t"name": "demo", // me\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}',
  );
});

test("keys are added to objects that are empty or on one line", () => {
  assert.is(merged({ a: 1 }, "{}", {}), '{"a": 1}');
  assert.is(merged({ a: 1, b: [2] }, '{"z":0}', {}), '{"z":0, "a": 1, "b": [2]}');
  assert.is(merged({ a: 1 }, "{\n}\n", {}), '{\n  "a": 1\n}\n');
  assert.is(merged({ a: 1 }, "{\n  // mine\n}\n", {}), '{\n  "a": 1\n  // mine\n}\n');
  const nested = '{\n  "scripts": {}\n}\n';
  assert.is(
    merged({ scripts: { a: "b" } }, nested, { scripts: {} }),
    '{\n  "scripts": {\n    "a": "b"\n  }\n}\n',
  );
});

test("a changed value is replaced in its place", () => {
  const text = '{\n  "files": ["dist"], // what\n  "name": "demo"\n}\n';
  assert.is(
    merged({ ...base, files: ["dist", "src"] }, text),
    '{\n  "files": [\n    "dist",\n    "src"\n  ], // what\n  "name": "demo"\n}\n',
  );
});

test("a key that is no longer generated is removed with its comma, and comments stay", () => {
  const without = { scripts: {}, files: ["dist"] };
  const text =
    '{\n  "files": ["dist"],\n  "name": "demo", // note\n  "scripts": {"build": "tsc"}\n}\n';
  assert.is(merged(without, text), '{\n  "files": ["dist"],\n  // note\n  "scripts": {}\n}\n');
  const last = '{\n  "files": ["dist"],\n  "name": "demo"\n}\n';
  assert.is(merged(without, last), '{\n  "files": ["dist"]\n}\n');
  assert.is(merged({}, '{"name": "demo"}', { name: "demo" }), "{}");
  assert.is(merged({ b: 1 }, '{"name": "demo", "b": 1}', { name: "demo", b: 1 }), '{"b": 1}');
});

test("guarantee 17: the user's value of a key that both sides changed stays and is reported once", () => {
  const text = '{\n  "scripts": { "build": "esbuild" }\n}\n';
  const ours = { ...base, name: "other", scripts: { build: "tsc -p ." } };
  const result = mergeJson(base, ours, text);
  assert.is(result?.text, text);
  assert.equal(result?.conflicts, [
    { key: "name", at: undefined, theirs: undefined, ours: "other" },
    { key: "scripts.build", at: { start: 17, end: 24 }, theirs: "esbuild", ours: "tsc -p ." },
  ]);
  assert.equal(mergeJson(ours, ours, text)?.conflicts, []);
});

test("items that the user added to a list stay, after those that are generated", () => {
  const ours = { ...base, files: ["dist", "app.html", "data"] };
  const merge = (files: string, from: JsonObject, to: JsonObject): string | undefined => {
    const result = mergeJson(from, to, `{ "files": ${files} }`);
    assert.equal(result?.conflicts.filter(({ key }) => key === "files") ?? [], []);
    return /\[[^]*\]/.exec(result?.text ?? "")?.[0];
  };
  assert.is(merge('["dist", "own"]', base, ours), '["dist", "app.html", "data", "own"]');
  assert.is(merge('["own","dist"]', base, ours), '["own","dist", "app.html", "data"]');
  assert.is(merge('["dist","app.html","own"]', base, ours), '["dist","app.html", "data","own"]');
  const lines = '[\n    "own", // mine\n    "dist" // theirs\n  ]';
  const after = '[\n    "own", // mine\n    "dist", // theirs\n    "app.html",\n    "data"\n  ]';
  assert.is(merge(lines, base, ours), after);
  assert.is(merge(after, ours, base), '[\n    "own", // mine\n    "dist" // theirs\n  ]');
  assert.is(merge('["app.html", "dist", "own", "data"]', ours, base), '["dist", "own"]');
  assert.is(merge('["own"]', { files: [] }, base), '["dist", "own"]');
  assert.is(
    merge('["dist", "data"]', base, { ...base, files: ["app.html", "dist"] }),
    '["app.html", "dist", "data"]',
  );
});

test("a list from which the user removed items, or with other items than texts, is merged as one value", () => {
  const lists: [JsonValue, JsonValue, JsonValue][] = [
    [["dist"], ["dist", "app.html"], ["own"]],
    [[{ a: 1 }], [{ a: 1 }, { b: 1 }], [{ a: 1 }, { c: 1 }]],
    [["dist"], ["dist", "app.html"], ["dist", "own", "own"]],
    [["dist"], "dist", ["dist", "own"]],
  ];
  for (const [from, ours, theirs] of lists) {
    const text = JSON.stringify({ files: theirs });
    const start = text.indexOf('"files"');
    const at = { start, end: start + '"files"'.length };
    const conflicts = [{ key: "files", at, theirs, ours }];
    assert.equal(mergeJson({ files: from }, { files: ours }, text), { text, conflicts });
  }
});

test("a text that is not one JSON object is not changed", () => {
  const texts = ["", "[]", "{", '{"a":1}}', "<<<<<<< HEAD\n{}\n", "null", '{"a":'.repeat(100_000)];
  for (const text of texts) assert.is(mergeJson({}, { a: 1 }, text), undefined, text.slice(0, 20));
});

test("keys named like members of Object.prototype are merged like others", () => {
  const ours = JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":2}') as JsonObject;
  const text = merged(ours, '{\n  "b": 1\n}\n', {});
  assert.equal(Object.keys(JSON.parse(text) as JsonObject), [
    "b",
    "__proto__",
    "constructor",
    "toString",
  ]);
  assert.equal(mergeJson({}, ours, text), { text, conflicts: [] });
});

function randomObject(random: (below: number) => number, depth = 0): JsonObject {
  const object: JsonObject = {};
  for (const key of "abcde") {
    const kind = random(depth < 2 ? 6 : 4);
    const list = ["p", "q", "r", "s"].filter(() => random(2) === 0);
    const values: JsonValue[] = [1, "two", random(3) === 0 ? [3, { x: 4 }] : list];
    if (kind > 0) object[key] = values[kind - 1] ?? randomObject(random, depth + 1);
  }
  return object;
}

/** What the merge must give, on values. */
function expected(
  from: JsonValue | undefined,
  ours: JsonValue | undefined,
  theirs: JsonValue | undefined,
): JsonValue | undefined {
  const same = (left: unknown, right: unknown): boolean => sorted(left) === sorted(right);
  if (same(from, ours)) return theirs;
  if (isObject(ours) && isObject(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    const entries = [...keys].map((key) => [
      key,
      expected(isObject(from) ? from[key] : undefined, ours[key], theirs[key]),
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject;
  }
  if (!same(from, theirs) && [from, ours, theirs].every(isTexts)) {
    const [known, wanted, found] = [from, ours, theirs] as string[][];
    if (known?.every((item) => found?.includes(item))) return joined(known, wanted!, found!);
  }
  return same(from, theirs) ? ours : theirs;
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Without what is no longer generated, and with what is new after the item before it. */
function joined(from: string[], ours: string[], theirs: string[]): string[] {
  const list = theirs.filter((item) => !from.includes(item) || ours.includes(item));
  ours.forEach((item, index) => {
    if (!list.includes(item)) list.splice(list.indexOf(ours[index - 1] ?? "") + 1, 0, item);
  });
  return list;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: JsonValue) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  );
}

test("merging random texts gives the same values as merging their values, in every layout", () => {
  for (let seed = 1; seed <= 1500; seed++) {
    const random = randomNumbers(seed);
    const [from, ours, theirs] = [randomObject(random), randomObject(random), randomObject(random)];
    const indent = [undefined, 2, "\t"][random(3)];
    const text = JSON.stringify(theirs, null, indent).replaceAll("\n", random(2) ? "\r\n" : "\n");
    const result = mergeJson(from, ours, text);
    const value = JSON.parse(result?.text ?? "null") as JsonValue;
    assert.is(sorted(value), sorted(expected(from, ours, theirs)), `seed ${seed}`);
    const lineEnds = result?.text.match(/\r?\n/g) ?? [];
    assert.ok(new Set(lineEnds).size <= 1, `seed ${seed}: mixed line ends`);
  }
});

test.run();
