import { test } from "uvu";
import * as assert from "uvu/assert";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { loadManifest, type LoadResult } from "./load.js";

const load = (yaml: string): LoadResult => loadManifest("mcp.yaml", Buffer.from(yaml));

function loaded(yaml: string): LoadedManifest {
  const { manifest, diagnostics } = load(yaml);
  if (manifest === undefined) throw new Error(JSON.stringify(diagnostics));
  return manifest;
}

const summary = ({ diagnostics }: LoadResult): string[] =>
  diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);

function rangeOf(manifest: LoadedManifest, path: ManifestPath, target: "key" | "value"): string {
  const { line, column, endLine, endColumn } = manifest.locate(path, target);
  return `${line}:${column}-${endLine}:${endColumn}`;
}

test("keys and values are located", () => {
  const manifest = loaded(
    "a:\n  b: 1\n  c:\n    - x\n    - y: two\n\nd: |\n  text\n  more\n\ne: [1, 2]\n",
  );
  assert.is(rangeOf(manifest, ["a"], "key"), "1:1-1:2");
  assert.is(rangeOf(manifest, ["a"], "value"), "2:3-5:13");
  assert.is(rangeOf(manifest, ["a", "c", 1, "y"], "key"), "5:7-5:8");
  assert.is(rangeOf(manifest, ["a", "c", 1, "y"], "value"), "5:10-5:13");
  assert.is(rangeOf(manifest, ["a", "c", 0], "key"), "4:7-4:8");
  assert.is(rangeOf(manifest, ["d"], "value"), "7:4-9:7");
  assert.is(rangeOf(manifest, ["e", 1], "value"), "11:8-11:9");
});

test("a path that does not exist is located at its nearest existing ancestor", () => {
  const manifest = loaded("a: {b: [1]}\n");
  assert.is(rangeOf(manifest, ["a", "b", 7, "x"], "value"), "1:8-1:11");
  assert.is(rangeOf(manifest, ["a", "nothing"], "key"), "1:1-1:2");
  assert.is(rangeOf(manifest, ["nothing"], "key"), "1:1-1:12");
});

test("keys without values and keys named like members of every object are located", () => {
  const manifest = loaded("a: {b}\nc:\ntoString: 1\n");
  assert.is(rangeOf(manifest, ["a", "b"], "value"), "1:5-1:6");
  assert.is(rangeOf(manifest, ["c"], "value"), "2:3-2:3");
  assert.is(rangeOf(manifest, ["toString"], "value"), "3:11-3:12");
  assert.is(rangeOf(manifest, ["valueOf"], "value"), "1:1-3:12");
});

test("aliases become deep copies, and a path into one is located at the anchor", () => {
  const manifest = loaded("a: &s {q: {r: 1}}\nb: *s\n");
  assert.equal(manifest.value, { a: { q: { r: 1 } }, b: { q: { r: 1 } } });
  assert.is.not(manifest.value["a"], manifest.value["b"]);
  assert.is(rangeOf(manifest, ["b"], "value"), "2:4-2:6");
  assert.is(rangeOf(manifest, ["b", "q", "r"], "value"), "1:15-1:16");
});

test("an anchor that is set again holds for the aliases after it", () => {
  assert.equal(loaded("a: &x 1\nb: *x\nc: &x 2\nd: *x\n").value, { a: 1, b: 1, c: 2, d: 2 });
});

test("a byte-order mark and CRLF change neither values nor places", () => {
  const yaml = "name: x\ntext: |\n  one\n  two\nlist:\n  - a\n";
  const plain = loaded(yaml);
  const windows = loaded(`\uFEFF${yaml.replaceAll("\n", "\r\n")}`);
  assert.equal(windows.value, plain.value);
  assert.is(rangeOf(windows, ["list", 0], "value"), rangeOf(plain, ["list", 0], "value"));
  assert.not.ok(windows.texts.get("mcp.yaml")?.startsWith("\uFEFF"));
});

test("scalars are those of YAML 1.2", () => {
  const { value } = loaded("a: no\nb: 2026-11-20\nc: 0x10\nd: ~\ne: 1e3\nf: '1'\ng: 012\n");
  assert.equal(value, { a: "no", b: "2026-11-20", c: 16, d: null, e: 1000, f: "1", g: 12 });
});

test("-0 becomes 0, as in the JSON of the lock, with and without the library", () => {
  for (const yaml of ["a: -0.0\nb: [-0.00]\n", "a: -0\nb: [-0.0e1]\n"]) {
    const { a, b } = loaded(yaml).value as { a: number; b: number[] };
    assert.ok([a, ...b].every((zero) => Object.is(zero, 0)));
  }
});

test("a syntax error is reported once, without the errors that follow from it", () => {
  assert.equal(summary(load("tools: ]\nprompts: []\n")), ["1:8 MW1008"]);
  assert.equal(summary(load("name: demo\n version: 1\n")), ["2:2 MW1008"]);
  assert.equal(summary(load("a: `x`\nb: @y\n")), ["1:4 MW1008", "2:4 MW1008"]);
});

test("all findings of a file are reported, in file order", () => {
  const yaml = "a: !tag 1\nb: {<<: 1, 2.0: x}\na: 3\nc: *nowhere\nd: .inf\n";
  assert.equal(summary(load(yaml)), [
    "1:4 MW1012",
    "2:5 MW1013",
    "2:12 MW1015",
    "3:1 MW1014",
    "4:4 MW1018",
    "5:4 MW1023",
  ]);
});

test("a duplicate key refers to the first one", () => {
  const [diagnostic] = load("a: 1\nb: 2\na: 3\n").diagnostics;
  const [first] = diagnostic?.related ?? [];
  assert.equal([first?.line, first?.column, first?.message], [1, 1, "the first one"]);
});

test("a whole number as a key is the text that it is written as", () => {
  assert.equal(loaded('errors: {404: gone, 0: none, "500": down}\n').value, {
    errors: { "404": "gone", "0": "none", "500": "down" },
  });
  assert.equal(summary(load('{404: a, "404": b}\n')), ["1:2 MW1015"]);
  assert.equal(summary(load("{404: a, 404: b}\n")), ["1:10 MW1014"]);
  for (const key of ["0x1F", "1e3", "007", "-1", "4.0", "true", "12345678901234567890"]) {
    assert.equal(summary(load(`${key}: a\n`)), ["1:1 MW1015"], key);
  }
});

test("a key in quotes may look like a merge key or a number", () => {
  assert.equal(loaded('"<<": 1\n"1": 2\n').value, { "<<": 1, "1": 2 });
});

test("an integer that loses digits is a warning", () => {
  const result = load("a: 9007199254740993\nb: 9007199254740992\nc: '9007199254740993'\n");
  assert.equal(summary(result), ["1:4 MW1024"]);
  assert.ok(result.manifest);
});

test("64 levels are allowed, 65 are not, in blocks, in brackets and through aliases", () => {
  const brackets = (levels: number) => `a: ${"[".repeat(levels)}${"]".repeat(levels)}\n`;
  assert.equal(summary(load(brackets(63))), []);
  assert.equal(summary(load(brackets(64))), ["1:67 MW1021"]);
  const blocks = (levels: number) => `a:\n  ${"- ".repeat(levels)}x\n`;
  assert.equal(summary(load(blocks(63))), []);
  assert.equal(summary(load(blocks(64))), ["2:129 MW1021"]);
  const aliased = `a: &a ${"[".repeat(40)}${"]".repeat(40)}\nb: ${"[".repeat(30)}*a${"]".repeat(30)}\n`;
  assert.equal(summary(load(aliased)), ["2:34 MW1021"]);
});

test("implicit mappings in lists count as levels", () => {
  const pairs = (levels: number) => `a: ${"[b: ".repeat(levels)}1${"]".repeat(levels)}\n`;
  assert.equal(summary(load(pairs(31))), []);
  assert.is(load(pairs(32)).diagnostics[0]?.code, "MW1021");
});

test("10,000 keys are allowed in one mapping", () => {
  const keys = (count: number) =>
    Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join("");
  assert.equal(summary(load(keys(10_000))), []);
  assert.equal(summary(load(keys(10_001))), ["10001:1 MW1022"]);
});

test("alias copies are counted over the whole file", () => {
  const list = `a: &a [${"x,".repeat(10_000)}]\n`;
  const copies = (count: number) => `${list}b: [${"*a,".repeat(count)}]\n`;
  assert.equal(summary(load(copies(49))), []);
  assert.equal(summary(load(copies(60))), ["2:152 MW1020"]);
});

test("bytes that are not UTF-8 are located", () => {
  const bytes = Buffer.concat([Buffer.from("a: 1\nb: ä"), Buffer.from([0xe9]), Buffer.from("\n")]);
  assert.equal(summary(loadManifest("mcp.yaml", bytes)), ["2:5 MW1006"]);
});

test("control characters are refused in the file, and kept as escapes in quotes", () => {
  assert.equal(summary(load("a: x\nb: \u001b[2J\n")), ["2:4 MW1007"]);
  assert.equal(loaded('a: "\\e[2J\\u2028"\n').value, { a: "\u001b[2J\u2028" });
});

test("a document may begin with three dashes and end with three dots", () => {
  assert.equal(loaded("%YAML 1.2\n---\na: 1\n...\n").value, { a: 1 });
});

test("long files of one kind of token end in a diagnostic", () => {
  const pieces = ["\n", "[", "- ", "!a ", "# x\n", "a", '"', "&a ", ": ", "? ", "...\n", "%a\n"];
  for (const piece of pieces) {
    const result = load(piece.repeat(60_000 / piece.length));
    assert.ok(result.diagnostics.length > 0, piece);
  }
});

test("many look-ups in a large manifest are fast enough", () => {
  const tools = Array.from({ length: 5000 }, (_, index) => `  - {name: t${index}, a: {b: 1}}\n`);
  const manifest = loaded(`tools:\n${tools.join("")}`);
  for (let index = 0; index < 5000; index++) {
    assert.is(manifest.locate(["tools", index, "a", "b"], "value").line, index + 2);
  }
});

test.run();
