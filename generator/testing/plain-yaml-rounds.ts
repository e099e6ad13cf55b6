import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { indexLines } from "../1-load/line-index.js";
import { loadByLibrary } from "../1-load/load.js";
import { locatePlain } from "../1-load/plain/locate-plain.js";
import { readPlain } from "../1-load/plain/read-plain.js";
import type { JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { randomNumbers } from "./random-numbers.js";

type Random = (below: number) => number;

/** What is read without the library, and much that is nearly so. */
export const STORY = `# introduction
name: a
list:
- one
- two words
  going on

  after
- key: "v"
  other: 'it''s'
  text: |
    Line

      more
    end
  fold: >-
    some
    words

    here
numbers: [1, -2, 3.5, true, null, ~, "x", 'y', plain text, {a: 1, "b":2}]
deep:
  - - x
    - y
  - a: {b: [ {c: d},
      e ]}   # comment
    z: http://x.y/z#q
  # trailing
wrapped:
  in a line
  of its own
braces:
  {
    a: "long
      text

      with \\n escapes",
    b: ['x
      y'],
  }
json: {"type":"object","properties":{"a":{"default":"x\\ny \\"z\\"","enum":["a",null,true,{}]},"b":{"minimum":-1.5}}}
tools:
  - {"name":"x","list":[1,[2,{"3":[]}]],"é":0}  
  - inputSchema: {"a":{"b":"c"}} # comment
    outputSchema: {"a":"{\\"b\\":1}"}
last: "\\u00e9\\n"
`;

const PIECES = [
  ...[" ", "  ", "\n", "\n\n", "\n  ", "\n    ", "\t", "\\", "\\n", "\\u0041", "\u00a0", "é", "…"],
  ...[":", ": ", " #", "#", "-", "- ", ",", ", ", "[", "]", "{", "}", "{}", "[]", '"', "'", "''"],
  ...["|", "|\n", ">", "> ", ": |\n    a\n", ": >-\n      b\n      c\n", "# c\n", "---\n", "...\n"],
  ...[
    "&a ",
    "*a ",
    "!",
    "%",
    "@",
    "`",
    "?",
    "? ",
    "<<: ",
    "__proto__",
    "a: b",
    "a:b",
    "=",
    "+",
    "😀",
  ],
  ...['{"a":1}', '{"a":{"b":[1,"x"]}}', '"a":1,', "{}}", '"__proto__":0,', '\\"', "1.0", "1e21"],
  ...["~", "0", "1", "12.50", "-1", "1e3", "0x1", ".5", "null", "true", "x"],
];

const TEXTS = [STORY, ...exampleManifests()];

export function exampleManifests(): string[] {
  const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
  return readdirSync(examples, { recursive: true, encoding: "utf8" })
    .filter((path) => /^[^/]+\/mcp\.yaml$/.test(path.replaceAll("\\", "/")))
    .map((path) => readFileSync(examples + path, "utf8").replaceAll("\r\n", "\n"));
}

/**
 * Reads a mutated manifest both ways and compares every value and place.
 *
 * @returns whether it was plain
 */
export function tryPlainYaml(seed: number): boolean {
  const random = randomNumbers(seed);
  let text = excerptOf(TEXTS[random(TEXTS.length)] ?? STORY, random);
  for (let count = random(4); count > 0; count--) text = mutate(text, random);
  return comparePlainYaml(text);
}

/** @param text lines end with a line feed */
export function comparePlainYaml(text: string): boolean {
  const plain = readPlain(text);
  if (plain === undefined) return false;
  const lines = indexLines("mcp.yaml", text);
  const { manifest, diagnostics } = loadByLibrary("mcp.yaml", text, text, lines);
  assert.equal(diagnostics, [], text);
  assert.is(JSON.stringify(plain.value), JSON.stringify(manifest?.value), text);
  const locate = locatePlain(text, plain.places, lines);
  for (const path of pathsOf(plain.value, [])) {
    for (const target of ["key", "value"] as const) {
      assert.equal(locate(path, target), manifest?.locate(path, target), `${path.join()}\n${text}`);
    }
  }
  return true;
}

/** Every path of a value, and one inside each that leads nowhere. */
export function* pathsOf(value: JsonValue, path: ManifestPath): Generator<ManifestPath> {
  yield path;
  yield [...path, "nothing"];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* pathsOf(member, [...path, key]);
  }
}

/** Some lines of a long text, often with the first at the margin. */
function excerptOf(text: string, random: Random): string {
  const lines = text.split("\n");
  if (lines.length < 40 || random(4) === 0) return text;
  const first = random(lines.length);
  const some = lines.slice(first, first + 5 + random(25));
  const margin = indentOf(some[0] ?? "");
  const isMoved = random(2) === 0;
  return some
    .map((line) => (isMoved ? line.slice(Math.min(margin, indentOf(line))) : line))
    .join("\n");
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** One place of a text, changed as people and accidents do. */
export function mutate(text: string, random: Random): string {
  if (random(3) === 0) return mutateLines(text, random);
  const at = random(text.length + 1);
  const piece = random(3) === 0 ? "" : (PIECES[random(PIECES.length)] ?? "");
  const removed = piece !== "" && random(2) === 0 ? 0 : 1 + random(3);
  return text.slice(0, at) + piece + text.slice(at + removed);
}

/** A line is indented otherwise, repeated or left out. */
function mutateLines(text: string, random: Random): string {
  const lines = text.split("\n");
  const at = random(lines.length);
  const line = lines[at] ?? "";
  switch (random(3)) {
    case 0:
      lines[at] = " ".repeat(random(4)) + (random(2) === 0 ? line : line.trimStart());
      break;
    case 1:
      lines.splice(random(lines.length), 0, line);
      break;
    default:
      lines.splice(at, 1);
  }
  return lines.join("\n");
}
