import { createScanner, parseTree, type Node, type ParseError } from "jsonc-parser";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { lineEndOf } from "../text/line-ends.js";
import { applySplices, type Splice } from "../text/splice.js";
import type { TextRange } from "../text/text-place.js";

/** Maximum nesting of a document. Files such as package.json have few levels. */
const MAX_NESTING = 100;

/** Tokens of the scanner. Its own names are a `const enum`, which isolated modules cannot import. */
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  end: 17,
} as const;

/** Keys from the root to a value. */
export type KeyPath = readonly string[];

/** A JSON value that is not an object or a list. */
export type JsonScalar = string | number | boolean | null;

/** Prints a member, with an indentation, or on one line with others. */
type Print = (indent: string, inline: boolean) => string;

/**
 * A JSON object as text that a person owns, which may have comments and trailing commas. Edits change only the
 * keys that they name.
 */
export class JsonDocument {
  private constructor(
    readonly text: string,
    private readonly root: Node,
  ) {}

  /** Parses a text; undefined if it is not one JSON object. */
  static parse(text: string): JsonDocument | undefined {
    if (nestingOf(text) > MAX_NESTING) return undefined;
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    return root?.type === "object" && errors.length === 0
      ? new JsonDocument(text, root)
      : undefined;
  }

  /** Range of the first error that prevents reading a text as one JSON object; undefined if it is unknown. */
  static problemIn(text: string): TextRange | undefined {
    if (nestingOf(text) > MAX_NESTING) return undefined;
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined) return { start: first.offset, end: first.offset + first.length };
    return root && { start: root.offset, end: endOf(root) };
  }

  /** Range of a key with its quotes; of the innermost existing key around it if the key does not exist. */
  keyRange(path: KeyPath): TextRange | undefined {
    for (let length = path.length; length > 0; length--) {
      const key = this.property(path.slice(0, length))?.children?.[0];
      if (key !== undefined) return { start: key.offset, end: endOf(key) };
    }
    return undefined;
  }

  /** The object as data. */
  value(): JsonObject {
    const value = valueOf(this.root);
    return isJsonObject(value) ? value : {};
  }

  /** Replaces the value of a key that exists. */
  replace(path: KeyPath, value: JsonValue): JsonDocument {
    const property = this.property(path);
    const node = property?.children?.[1];
    if (property === undefined || node === undefined) return this;
    const text = this.print(value, this.indentAt(property.offset), this.isOneLine(node.parent));
    return this.edited([{ start: node.offset, end: endOf(node), text }]);
  }

  /** Adds a key after the key `after`, or at the end of its object if there is no such key. */
  add(path: KeyPath, value: JsonValue, after: string | undefined): JsonDocument {
    const object = this.object(path.slice(0, -1));
    const key = path.at(-1);
    if (object === undefined || key === undefined) return this;
    const properties = object.children ?? [];
    const previous = properties.find((property) => keyOf(property) === after) ?? properties.at(-1);
    const print: Print = (indent, inline) =>
      `${JSON.stringify(key)}: ${this.print(value, indent, inline)}`;
    return this.edited(this.insert(object, previous, print));
  }

  /** Adds an item to a list, after the item `after`, or at the start if there is no such item. */
  addItem(path: KeyPath, value: JsonScalar, after: JsonScalar | undefined): JsonDocument {
    const list = this.list(path);
    if (list === undefined) return this;
    const previous = list.children?.find((item) => item.value === after);
    return this.edited(this.insert(list, previous, () => JSON.stringify(value)));
  }

  /** Removes an item from a list. Comments stay. */
  removeItem(path: KeyPath, value: JsonScalar): JsonDocument {
    return this.without(this.list(path)?.children?.find((item) => item.value === value));
  }

  /** Removes a key and a comma that is no longer needed. Comments stay. */
  remove(path: KeyPath): JsonDocument {
    return this.without(this.property(path));
  }

  private without(member: Node | undefined): JsonDocument {
    if (member === undefined) return this;
    const siblings = member.parent?.children ?? [];
    const previous = siblings[siblings.indexOf(member) - 1];
    const comma = this.commaAfter(member);
    const splices: Splice[] = [this.withLine(member.offset, comma?.end ?? endOf(member))];
    const left = previous && comma === undefined ? this.commaAfter(previous) : undefined;
    if (left !== undefined) {
      const space = this.text.slice(left.end, member.offset);
      const end = /^[ \t]*$/.test(space) ? member.offset : left.end;
      splices.push({ start: left.start, end, text: "" });
    }
    return this.edited(splices);
  }

  private edited(splices: readonly Splice[]): JsonDocument {
    const text = applySplices(this.text, splices);
    const document = JsonDocument.parse(text);
    if (document === undefined) throw new Error("an edit broke a JSON document");
    return document;
  }

  /** The member with a key. The last one of several equal keys counts, as for `JSON.parse`. */
  private property(path: KeyPath): Node | undefined {
    const object = this.object(path.slice(0, -1));
    return object?.children?.findLast((property) => keyOf(property) === path.at(-1));
  }

  private object(path: KeyPath): Node | undefined {
    const node = path.length === 0 ? this.root : this.property(path)?.children?.[1];
    return node?.type === "object" ? node : undefined;
  }

  private list(path: KeyPath): Node | undefined {
    const node = this.property(path)?.children?.[1];
    return node?.type === "array" ? node : undefined;
  }

  /** Inserts a member into an object or a list: after another member, or as the first. */
  private insert(parent: Node, previous: Node | undefined, print: Print): Splice[] {
    if (previous !== undefined) return this.insertAfter(previous, print);
    const next = parent.children?.[0];
    return next === undefined ? this.insertOnly(parent, print) : this.insertBefore(next, print);
  }

  private insertBefore(next: Node, print: Print): Splice[] {
    const inline = this.isOneLine(next.parent);
    const indent = this.indentAt(next.offset);
    const text = `${print(indent, inline)},${inline ? " " : this.lineEnd() + indent}`;
    return [{ start: next.offset, end: next.offset, text }];
  }

  private insertOnly(parent: Node, print: Print): Splice[] {
    const start = parent.offset + 1;
    if (!this.text.includes("\n")) return [{ start, end: start, text: print("", true) }];
    const outer = this.indentAt(parent.offset);
    const indent = outer + this.indentUnit();
    const opening = this.lineEnd() + indent + print(indent, false);
    const isBlank = /^[ \t]*$/.test(this.text.slice(start, endOf(parent) - 1));
    return isBlank
      ? [{ start, end: endOf(parent) - 1, text: opening + this.lineEnd() + outer }]
      : [{ start, end: start, text: opening }];
  }

  private insertAfter(previous: Node, print: Print): Splice[] {
    const comma = this.commaAfter(previous);
    const end = comma?.end ?? endOf(previous);
    const inline = this.isOneLine(previous.parent);
    const indent = this.indentAt(previous.offset);
    const position = end + (inline ? 0 : this.blankRestOfLine(end));
    const lead = position === end && inline ? " " : this.lineEnd() + indent;
    const member = print(indent, inline);
    const insertion = { start: position, end: position, text: lead + member + (comma ? "," : "") };
    if (comma !== undefined) return [insertion];
    return position === end
      ? [{ ...insertion, text: `,${insertion.text}` }]
      : [{ start: end, end, text: "," }, insertion];
  }

  /** Length of the rest of the line, if it has only white space and a comment; otherwise 0. */
  private blankRestOfLine(offset: number): number {
    const blank = /^[ \t]*(\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?=\r?\n|$)/;
    return blank.exec(this.text.slice(offset, offset + 10_000))?.[0].length ?? 0;
  }

  private commaAfter(node: Node): { start: number; end: number } | undefined {
    const scanner = createScanner(this.text, true);
    scanner.setPosition(endOf(node));
    if ((scanner.scan() as number) !== TOKEN.comma) return undefined;
    const start = scanner.getTokenOffset();
    return { start, end: start + 1 };
  }

  /** A splice that removes the range from `start` to `end`, or whole lines if they have nothing else. */
  private withLine(start: number, end: number): Splice {
    const before = /(?:^|\n)[ \t]*$/.exec(this.text.slice(Math.max(0, start - 1000), start))?.[0];
    const after = /^[ \t]*\r?\n/.exec(this.text.slice(end, end + 1000))?.[0];
    if (before === undefined || after === undefined) {
      const space = /^[ \t]*/.exec(this.text.slice(end, end + 1000))?.[0] ?? "";
      return { start, end: end + space.length, text: "" };
    }
    return { start: start - before.replace("\n", "").length, end: end + after.length, text: "" };
  }

  private print(value: JsonValue, indent: string, inline: boolean): string {
    if (inline) return JSON.stringify(value);
    return JSON.stringify(value, null, this.indentUnit()).replaceAll("\n", this.lineEnd() + indent);
  }

  private isOneLine(object: Node | undefined): boolean {
    const node = object?.type === "property" ? object.parent : object;
    if (node === undefined) return false;
    return !this.text.slice(node.offset, endOf(node)).includes("\n");
  }

  private lineEnd(): string {
    return lineEndOf(this.text);
  }

  /** White space at the start of the line with an offset. */
  private indentAt(offset: number): string {
    const lineStart = this.text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(lineStart, offset))?.[0] ?? "";
  }

  /** One level of indentation: the indentation of the first key. */
  private indentUnit(): string {
    const first = this.root.children?.[0];
    return (first && this.indentAt(first.offset)) || "  ";
  }
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function keyOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

/** The value of a node. jsonc-parser's own conversion would assign `__proto__` as the prototype. */
function valueOf(node: Node): JsonValue {
  const children = node.children ?? [];
  if (node.type === "array") return children.map(valueOf);
  if (node.type !== "object") return node.value as JsonValue;
  return Object.fromEntries(
    children.flatMap((property) => {
      const value = property.children?.[1];
      return value === undefined ? [] : [[keyOf(property), valueOf(value)]];
    }),
  );
}

/** The nesting of a text. The parser is recursive, so the nesting is measured before parsing. */
export function nestingOf(text: string): number {
  const scanner = createScanner(text, true);
  const scan = (): number => scanner.scan();
  let depth = 0;
  let deepest = 0;
  for (let token = scan(); token !== TOKEN.end; token = scan()) {
    if (token === TOKEN.openBrace || token === TOKEN.openBracket) depth++;
    if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
