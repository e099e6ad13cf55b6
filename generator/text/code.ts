import { writeKey, writeLiteral } from "./literal.js";
import { isList, type ReadonlyJson } from "../model/json.js";

/*
 * The layout of values and types in generated TypeScript: code that fits into the line width is written on one line,
 * other code with one line for each entry.
 */

/** The columns of a line of generated TypeScript. */
export const LINE_WIDTH = 100;

/** An expression or a type. Strings have no line breaks. */
export type Code = string | Group | Sequence;

/** Brackets around entries, or entries with an operator between them. */
interface Group {
  readonly kind: "group";
  readonly style: Style;
  readonly entries: readonly Code[];
  /** For each entry, the lines of the doc comment above it; undefined if no entry has one. */
  readonly docs: readonly (readonly string[])[] | undefined;
  /** The columns if it is written on one line. */
  readonly width: number;
  /** True if it always takes several lines. */
  readonly isBroken: boolean;
}

/** Strings and groups that follow each other directly. */
interface Sequence {
  readonly kind: "sequence";
  readonly parts: readonly (string | Group)[];
  readonly width: number;
  readonly isBroken: boolean;
}

interface Style {
  readonly opening: string;
  readonly closing: string;
  /** On one line: the text between brackets and entries, and between two entries. */
  readonly padding: string;
  readonly separator: string;
  /** On several lines: the text before and after each entry, and after the last one. */
  readonly before: string;
  readonly after: string;
  readonly afterLast: string;
}

const OBJECT: Style = {
  opening: "{",
  closing: "}",
  padding: " ",
  separator: ", ",
  before: "",
  after: ",",
  afterLast: ",",
};
const LIST: Style = { ...OBJECT, opening: "[", closing: "]", padding: "" };
const ARGUMENTS: Style = { ...LIST, opening: "(", closing: ")" };
const ARGUMENTS_IN_LINES: Style = { ...ARGUMENTS };
const BLOCK: Style = { ...OBJECT, separator: " ", after: "", afterLast: "" };
const MEMBERS: Style = { ...OBJECT, separator: "; ", after: ";", afterLast: ";" };
const UNION: Style = {
  opening: "",
  closing: "",
  padding: "",
  separator: " | ",
  before: "| ",
  after: "",
  afterLast: "",
};
const UNION_IN_BRACKETS: Style = { ...UNION, opening: "(", closing: ")" };
const BRACKETS: Style = { ...UNION_IN_BRACKETS, before: "" };
const TYPE_ARGUMENTS: Style = { ...ARGUMENTS, opening: "<", closing: ">", afterLast: "" };
const CLAUSES: Style = { ...UNION, separator: " ", before: "" };
const NEXT_LINE: Style = { ...UNION, separator: "", before: "" };

/** `[first, second]` */
export function listOf(entries: readonly Code[]): Code {
  return groupOf(LIST, entries);
}

/** Like `listOf`, but always with one line for each entry. */
export function listInLines(entries: readonly Code[]): Code {
  return groupOf(LIST, entries, entries.length > 0);
}

/** An object literal; `{ tools }` for `tools: tools`. */
export function objectOf(entries: readonly (readonly [key: string, value: Code])[]): Code {
  const members = entries.map(([key, value]) =>
    key === value ? key : sequenceOf([`${writeKey(key)}: `, value]),
  );
  return groupOf(OBJECT, members);
}

/** A call. If only its last argument takes several lines, this argument begins on the line of the call. */
export function callOf(callee: string, callArguments: readonly Code[]): Code {
  return sequenceOf([callee, groupOf(ARGUMENTS, callArguments)]);
}

/** A call with one line or more for each argument. */
export function callInLines(callee: string, callArguments: readonly Code[]): Code {
  return sequenceOf([callee, groupOf(ARGUMENTS_IN_LINES, callArguments, true)]);
}

/** A function with one line or more for each statement. */
export function functionOf(parameters: Code, statements: readonly Code[]): Code {
  return sequenceOf([parameters, " => ", groupOf(BLOCK, statements, true)]);
}

/** An expression that moves to the next line if it does not fit, like the body of an arrow function. */
export function movable(code: Code): Code {
  return groupOf(NEXT_LINE, [code]);
}

/** Finds the code that stands for an object, such as the name of a constant; undefined if it is written out. */
export type NamedCode = (object: object) => Code | undefined;

/** A JSON value; keys keep their order. */
export function literalOf(value: ReadonlyJson, named?: NamedCode): Code {
  if (value === null || typeof value !== "object") return writeLiteral(value);
  const name = named?.(value);
  if (name !== undefined) return name;
  if (isList(value)) return listOf(value.map((item) => literalOf(item, named)));
  const members: Code[] = [];
  for (const key of Object.keys(value)) {
    members.push(sequenceOf([`${writeKey(key)}: `, literalOf(value[key] ?? null, named)]));
  }
  return groupOf(OBJECT, members);
}

/** A member of an object type. */
export interface Member {
  /** The text before the colon. */
  readonly name: string;
  readonly type: Code;
  /** Lines of the doc comment, already escaped. */
  readonly docs?: readonly string[];
}

/** An object type, on one line if it fits. */
export function shortMembersOf(members: readonly Member[]): Group {
  return objectType(members, false);
}

/** An object type with one line for each member. */
export function membersOf(members: readonly Member[]): Code {
  return objectType(members, members.length > 0);
}

function objectType(members: readonly Member[], isInLines: boolean): Group {
  const entries = members.map(({ name, type }) => sequenceOf([`${name}: `, type]));
  const docs = members.map((member) => member.docs ?? []);
  const hasDocs = docs.some((lines) => lines.length > 0);
  return groupOf(MEMBERS, entries, isInLines || hasDocs, hasDocs ? docs : undefined);
}

/** The type of a function; parameters are `name: type`. */
export function functionType(parameters: readonly string[], result: Code): Code {
  return sequenceOf([groupOf(ARGUMENTS, parameters), " => ", result]);
}

/** `Name<First, Second>` */
export function genericOf(name: string, types: readonly Code[]): Code {
  return sequenceOf([name, groupOf(TYPE_ARGUMENTS, types)]);
}

/** `Name extends keyof All ? One : Other` */
export function conditionalType(condition: string, one: Code, other: Code): Code {
  const clauses = [sequenceOf(["? ", one]), sequenceOf([": ", other])];
  return sequenceOf([`${condition} `, groupOf(CLAUSES, clauses)]);
}

/** A union of types; `never` for none. */
export function unionOf(types: readonly Code[]): Code {
  const [only = "never"] = types;
  return types.length < 2 ? only : groupOf(UNION, types);
}

/** A type in brackets. */
export function inBrackets(type: Code): Code {
  if (typeof type === "string" || type.kind !== "group" || type.style !== UNION) {
    return groupOf(BRACKETS, [type]);
  }
  return groupOf(UNION_IN_BRACKETS, type.entries, type.isBroken, type.docs);
}

/** `{…} & (A | B)` */
export function intersectionOf(types: readonly Code[]): Code {
  return sequenceOf(types.flatMap((type, index) => (index === 0 ? [type] : [" & ", type])));
}

export function sequenceOf(codes: readonly Code[]): Code {
  const parts: (string | Group)[] = [];
  let width = 0;
  let isInLines = false;
  for (const code of codes) {
    if (typeof code === "string" || code.kind === "group") parts.push(code);
    else parts.push(...code.parts);
    width += widthOf(code);
    isInLines ||= isBroken(code);
  }
  return { kind: "sequence", parts, width, isBroken: isInLines };
}

/** @param isInLines true if it takes several lines, whatever its entries are */
function groupOf(
  style: Style,
  entries: readonly Code[],
  isInLines = false,
  docs?: Group["docs"],
): Group {
  const { opening, closing, padding, separator } = style;
  let width = opening.length + closing.length;
  if (entries.length > 0) width += 2 * padding.length - separator.length;
  let isBrokenInside = isInLines;
  for (const entry of entries) {
    width += widthOf(entry) + separator.length;
    isBrokenInside ||= isBroken(entry);
  }
  return { kind: "group", style, entries, docs, width, isBroken: isBrokenInside };
}

function widthOf(code: Code): number {
  return typeof code === "string" ? code.length : code.width;
}

function isBroken(code: Code): boolean {
  return typeof code !== "string" && code.isBroken;
}

/** The code on one line of any length. */
export function onOneLine(code: Code): string {
  if (typeof code === "string") return code;
  let text = "";
  if (code.kind === "sequence") {
    for (const part of code.parts) text += onOneLine(part);
    return text;
  }
  const { style, entries, docs } = code;
  if (entries.length === 0) return style.opening + style.closing;
  for (const [index, entry] of entries.entries()) {
    if (index > 0) text += style.separator;
    if (docs !== undefined) text += docs[index]?.join("\n") ?? "";
    text += onOneLine(entry);
  }
  return style.opening + style.padding + text + style.padding + style.closing;
}

/** The strings that code consists of, without comments and punctuation of groups. */
export function textsOf(code: Code): readonly string[] {
  if (typeof code === "string") return [code];
  return (code.kind === "sequence" ? code.parts : code.entries).flatMap(textsOf);
}

/** The position at which code is written. */
interface Position {
  /** The spaces at the start of the line on which the code begins. */
  readonly indentation: string;
  /** The column on that line at which the code begins. */
  readonly column: number;
  /** The columns of the text that follows on the code's last line. */
  readonly after: number;
}

/**
 * Writes code on one line or several.
 *
 * @param indentation the spaces at the start of the line on which the code begins; the result does not include them
 */
export function layOut(code: Code, indentation = ""): string {
  return layOutAt(code, { indentation, column: indentation.length, after: 0 });
}

function layOutAt(code: Code, position: Position): string {
  if (typeof code === "string") return code;
  if (!code.isBroken && position.column + code.width + position.after <= LINE_WIDTH) {
    return onOneLine(code);
  }
  if (code.kind === "sequence") return layOutSequence(code, position);
  return layOutHugged(code, position) ?? layOutGroup(code, position);
}

/** Arguments of which only the last takes several lines; undefined if this layout is not possible. */
function layOutHugged({ style, entries }: Group, position: Position): string | undefined {
  const last = entries.at(-1);
  if (style !== ARGUMENTS || last === undefined) return undefined;
  const leading = entries.slice(0, -1);
  if (leading.some(isBroken)) return undefined;
  const before = `(${[...leading.map(onOneLine), ""].join(", ")}`;
  const column = position.column + before.length;
  const expression = returnedExpression(last);
  if (expression !== undefined) return layOutReturned(before, expression, position);
  const opening = openingOf(last);
  if (opening === undefined || opening === openingOf(leading.at(-1) ?? "")) return undefined;
  if (column + opening.length > LINE_WIDTH) return undefined;
  return `${before}${layOutAt(last, { ...position, column, after: position.after + 1 })})`;
}

/** A function that returns an expression: what stands before that, and the expression. */
interface Returned {
  readonly head: string;
  readonly expression: Code;
  readonly width: number;
}

/** The parts of a function that returns an expression which can move to the next line; undefined for other code. */
function returnedExpression(code: Code): Returned | undefined {
  if (typeof code === "string" || code.kind !== "sequence") return undefined;
  const [head, body] = code.parts;
  const isMovable = typeof body === "object" && body.style === NEXT_LINE;
  if (!isMovable || typeof head !== "string" || !head.endsWith(" => ")) return undefined;
  return { head: head.trimEnd(), expression: body.entries[0] ?? "", width: code.width };
}

/**
 * Arguments of which the last is a function that returns an expression, which moves to the next line. Undefined if each
 * argument can have a line of its own, or the function would begin behind the end of the line.
 */
function layOutReturned(
  before: string,
  { head, expression, width }: Returned,
  { indentation, column }: Position,
): string | undefined {
  const inner = `${indentation}  `;
  const isShort = !isBroken(expression) && inner.length + width + 1 <= LINE_WIDTH;
  if (isShort || column + before.length + head.length > LINE_WIDTH) return undefined;
  const returned = layOutAt(expression, { indentation: inner, column: inner.length, after: 1 });
  return `${before}${head}\n${inner}${returned},\n${indentation})`;
}

/** The first line of a list, an object or a function, which can stay on the line of a call; else undefined. */
function openingOf(code: Code): string | undefined {
  if (typeof code === "string") return undefined;
  if (code.kind === "group") {
    const isBracket = code.style === OBJECT || code.style === LIST;
    return isBracket && code.entries.length > 0 ? code.style.opening : undefined;
  }
  const [head, returned, end] = code.parts;
  if (typeof returned === "object" && end === ")" && code.parts.length === 3) {
    const returnsObject = typeof head === "string" && head.endsWith(" => (");
    return returnsObject && returned.style === OBJECT ? head + OBJECT.opening : undefined;
  }
  const block = code.parts.at(-1);
  const isFunction = typeof block === "object" && block.style === BLOCK;
  return isFunction
    ? code.parts.map((part) => (part === block ? block.style.opening : onOneLine(part))).join("")
    : undefined;
}

function layOutSequence({ parts }: Sequence, { indentation, column, after }: Position): string {
  let text = "";
  for (const [index, part] of parts.entries()) {
    const lineStart = text.lastIndexOf("\n") + 1;
    const partText = layOutAt(part, {
      indentation,
      column: lineStart === 0 ? column + text.length : text.length - lineStart,
      after: widthUpToBreak(parts, index + 1, after),
    });
    text = partText.startsWith("\n") ? text.trimEnd() + partText : text + partText;
  }
  return text;
}

/** The columns of the text from a part on up to the next possible line break. */
function widthUpToBreak(parts: Sequence["parts"], from: number, after: number): number {
  let width = 0;
  for (let index = from; index < parts.length; index += 1) {
    const part = parts[index] ?? "";
    if (typeof part !== "string") return width + part.style.opening.length;
    width += part.length;
  }
  return width + after;
}

function layOutGroup({ style, entries, docs }: Group, { indentation }: Position): string {
  const { opening, closing, before, after, afterLast } = style;
  if (entries.length === 0) return opening + closing;
  const inner = `${indentation}  `;
  const position: Position = {
    indentation: inner + " ".repeat(before.length),
    column: inner.length + before.length,
    after: after.length,
  };
  let text = opening;
  for (const [index, entry] of entries.entries()) {
    const comment = docs === undefined ? "" : docComment(docs[index] ?? [], inner);
    const end = index === entries.length - 1 ? afterLast : after;
    text += `\n${comment}${inner}${before}${layOutAt(entry, position)}${end}`;
  }
  return closing === "" ? text : `${text}\n${indentation}${closing}`;
}

/** A doc comment that ends with a line break; empty if all lines are. */
export function docComment(lines: readonly string[], indentation = ""): string {
  const [first = "", ...others] = lines;
  if (lines.every((line) => line.trim() === "")) return "";
  if (others.length === 0) return `${indentation}/** ${first} */\n`;
  const inner = lines.map((line) => `${indentation} * ${line}`.trimEnd());
  return [`${indentation}/**`, ...inner, `${indentation} */\n`].join("\n");
}
