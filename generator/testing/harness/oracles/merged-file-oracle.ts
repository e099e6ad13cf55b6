import { isDeepStrictEqual } from "node:util";
import { createScanner, getNodeValue, parseTree, type Node, type ParseError } from "jsonc-parser";
import * as assert from "uvu/assert";

type Values = Readonly<Record<string, unknown>>;

/**
 * Guarantees 4 and 17: throws where merging changed what a person has in `package.json`: a value of
 * theirs, the order of their keys, their comments, line ends, byte-order mark or last line.
 *
 * @param base what was generated before, as the lock has it
 */
export function checkMergedJson(before: string, after: string, base: unknown): void {
  if (before === after) return;
  const [old, now] = [parsed(before), parsed(after)];
  assert.ok(old, `what cannot be read is left alone:\n${after}`);
  assert.ok(now, `it can still be read:\n${after}`);
  if (old === undefined || now === undefined) return;
  checkObject(old, now, base, [before, after]);
  assert.equal(commentsOf(after), commentsOf(before), "comments");
  checkForm(before, after);
}

/**
 * `.env.example` loses no line but those of the blocks that are as they were generated.
 *
 * @param base the blocks that were generated before, by the names of their variables
 */
export function checkMergedLines(before: string, after: string, base: unknown = {}): void {
  if (before === after) return;
  const generated = new Set(Object.values(base as object).flatMap((block) => linesOf(block)));
  checkKept(linesOf(before), linesOf(after), generated, `${before}\n--- became\n${after}`);
  if (before !== "") assert.is(after.endsWith("\n"), before.endsWith("\n"), "its last line end");
}

const linesOf = (text: unknown): string[] =>
  String(text)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);

/** The lines that were not generated are still there, in their order. */
function checkKept(
  before: readonly string[],
  after: readonly string[],
  generated: ReadonlySet<string>,
  context: string,
): void {
  const theirs = before.filter((line) => line !== "" && !generated.has(line));
  let position = 0;
  for (const line of after) if (line === theirs[position]) position += 1;
  assert.equal(theirs.slice(position), [], `lines of one's own:\n${context}`);
}

/**
 * Throws where merging by lines lost a line of a person's, or their order, byte-order mark or last line end.
 *
 * @param base the lines that were generated before; undefined or empty if the file is its owner's
 */
export function checkMergedText(before: string, after: string, base: readonly string[] = []): void {
  if (before === after) return;
  if (linesOf(before).join("\n") === `${base.join("\n")}\n`) return;
  const context = `${before}\n--- became\n${after}`;
  assert.ok(base.length > 0, `the file is its owner's:\n${context}`);
  checkKept(linesOf(before), linesOf(after), new Set(base), context);
  assert.is(after.startsWith("\uFEFF"), before.startsWith("\uFEFF"), "the byte-order mark");
  if (before !== "" && after !== "")
    assert.is(after.endsWith("\n"), before.endsWith("\n"), "the last line end");
  const [ends, endsNow] = [lineEndsOf(before), lineEndsOf(after)];
  if (ends.size === 1)
    assert.equal(
      [...endsNow].filter((end) => !ends.has(end)),
      [],
      "line ends",
    );
}

/** Every key is as it was, but for those that still had the generated value. */
function checkObject(old: Node, now: Node, base: unknown, texts: readonly [string, string]): void {
  const bases = isObject(base) ? base : {};
  const found = new Map(entriesOf(now));
  const kept: string[] = [];
  for (const [key, value] of entriesOf(old)) {
    const other = found.get(key);
    if (other !== undefined) kept.push(key);
    if (Object.hasOwn(bases, key) && isDeepStrictEqual(valueOf(value), bases[key])) continue;
    assert.ok(other, `the key ${key} is still there:\n${texts[1]}`);
    if (other === undefined || textOf(value, texts[0]) === textOf(other, texts[1])) continue;
    if (value.type === "array") {
      checkList(value, other, bases[key], texts);
      continue;
    }
    assert.is(`${key} ${value.type} ${other.type}`, `${key} object object`, texts[1]);
    checkObject(value, other, bases[key], texts);
  }
  const order = entriesOf(now).map(([key]) => key);
  assert.equal(
    order.filter((key) => kept.includes(key)),
    kept,
    "the order of keys",
  );
}

/** Every item of a person's own is still there. */
function checkList(old: Node, now: Node, base: unknown, texts: readonly [string, string]): void {
  assert.ok(Array.isArray(base) && now.type === "array", `a list that was generated:\n${texts[1]}`);
  const generated = new Set(Array.isArray(base) ? base : []);
  const kept = (old.children ?? []).filter((item) => !generated.has(valueOf(item)));
  const found = new Set((now.children ?? []).map((item) => textOf(item, texts[1])));
  const missing = kept.map((item) => textOf(item, texts[0])).filter((text) => !found.has(text));
  assert.equal(missing, [], `items of one's own:\n${texts[1]}`);
}

function checkForm(before: string, after: string): void {
  assert.is(after.startsWith("\uFEFF"), before.startsWith("\uFEFF"), "the byte-order mark");
  assert.is(/\n$/.test(after), /\n$/.test(before), "the last line end");
  const [old, now] = [lineEndsOf(before), lineEndsOf(after)];
  if (old.size === 1) assert.equal([...now], [...old], "line ends");
  const indents = new Set([...before.matchAll(/\n([ \t])/g)].map(([, first]) => first));
  const more = new Set([...after.matchAll(/\n([ \t])/g)].map(([, first]) => first));
  if (indents.size === 1) assert.equal([...more], [...indents], "indentation");
}

function lineEndsOf(text: string): Set<string> {
  return new Set(text.match(/\r?\n/g) ?? []);
}

function parsed(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  return errors.length === 0 && root?.type === "object" ? root : undefined;
}

function entriesOf(object: Node): [string, Node][] {
  return (object.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key && value ? [[String(key.value), value] as [string, Node]] : [];
  });
}

function textOf({ offset, length }: Node, text: string): string {
  return text.slice(offset, offset + length);
}

/** Numbers of the scanner's tokens; its own names are a `const enum`, which isolated modules cannot import. */
const COMMENTS: readonly number[] = [12, 13];
const END = 17;

function commentsOf(text: string): string[] {
  const scanner = createScanner(text);
  const found: string[] = [];
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) {
    if (COMMENTS.includes(token)) found.push(scanner.getTokenValue().trimEnd());
  }
  return found;
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parser's objects have no prototype. */
function valueOf(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}
