import {
  readExpression,
  type ArrayExpression,
  type CallExpression,
  type Expression,
  type Member,
  type ObjectExpression,
} from "./expression.js";
import { isNarrow, LINE_WIDTH } from "./line-width.js";

/** Prettier does not put the value of a shorter key on a line of its own. */
const SHORTEST_BREAKING_KEY = 5;

/**
 * An element of a list on lines of its own, with a comma, in prettier's layout.
 *
 * @param source the expression, or its text on one line
 * @param indentation spaces before it
 * @returns `undefined` where only prettier knows the layout
 */
export function layOutElement(
  source: string | Expression,
  indentation: string,
): string | undefined {
  const place = { indentation, column: indentation.length };
  const laidOut =
    typeof source === "string" ? layOutSource(source, place) : layOutKnown(source, place);
  return laidOut === undefined ? undefined : `${indentation}${laidOut},`;
}

/**
 * What follows the start of a statement, before its semicolon, in prettier's layout.
 *
 * @param start with the spaces before it
 * @param source on one line
 * @returns `undefined` where only prettier knows the layout
 */
export function layOutAfter(start: string, source: string): string | undefined {
  const [indentation = ""] = /^ */.exec(start) ?? [];
  return layOutSource(source, { indentation, column: start.length });
}

function layOutSource(source: string, place: Place): string | undefined {
  if (!isNarrow(source)) return undefined;
  const expression = readExpression(source);
  return expression && layOutKnown(expression, place);
}

function layOutKnown(expression: Expression, place: Place): string | undefined {
  if (!expression.isKnown) return undefined;
  try {
    return layOut(expression, place);
  } catch (error) {
    if (error instanceof TooWide) return undefined;
    throw error;
  }
}

/** What has no space to break at is wider than the line. */
class TooWide extends Error {}

interface Place {
  /** Spaces at the start of the line that it stands on. */
  readonly indentation: string;
  /** Where on that line it begins. */
  readonly column: number;
}

/** A comma or a semicolon follows whatever is laid out. */
function layOut(expression: Expression, place: Place): string {
  if (!expression.isBroken && place.column + expression.width + 1 <= LINE_WIDTH) {
    return onOneLine(expression);
  }
  switch (expression.kind) {
    case "object":
      return objectInLines(expression, place.indentation);
    case "array":
      return arrayInLines(expression, place.indentation);
    case "call":
      return callInLines(expression, place);
    case "string":
      return expression.text;
    default:
      throw new TooWide();
  }
}

function callInLines({ callee, passed }: CallExpression, { indentation, column }: Place): string {
  const [first, ...others] = passed;
  if (first === undefined || column + callee.length + 2 > LINE_WIDTH) throw new TooWide();
  if (others.length === 0) {
    // The argument opens on the line of the call, which leaves no one line for it.
    if (first.kind !== "object" || first.members.length === 0) throw new TooWide();
    return `${callee}(${objectInLines(first, indentation)})`;
  }
  // Prettier lets a list or an object that comes last open on the line of the call, and breaks chains.
  const isPlain = others.at(-1)?.kind === "call" && /^\w+$/.test(callee);
  if (!isPlain) throw new TooWide();
  return `${callee}(${inLines(passed, indentation)})`;
}

function objectInLines({ members }: ObjectExpression, indentation: string): string {
  const inner = `${indentation}  `;
  const lines = members.map((member) => `${inner}${memberInLines(member, inner)},\n`);
  return `{\n${lines.join("")}${indentation}}`;
}

function memberInLines({ key, value }: Member, indentation: string): string {
  if (value === undefined) return key;
  const column = indentation.length + key.length + 2;
  const isTooWide = column + value.width + 1 > LINE_WIDTH;
  if (value.kind === "string" && isTooWide && key.length >= SHORTEST_BREAKING_KEY) {
    return `${key}:\n${indentation}  ${value.text}`;
  }
  // An opening bracket has to find room.
  if (value.kind !== "string" && column + 1 > LINE_WIDTH) throw new TooWide();
  return `${key}: ${layOut(value, { indentation, column })}`;
}

function arrayInLines({ items }: ArrayExpression, indentation: string): string {
  // Prettier fills lines with numbers.
  if (items.length > 1 && items.every(({ kind }) => kind === "number")) throw new TooWide();
  return `[${inLines(items, indentation)}]`;
}

/** Each on a line of its own, between brackets. */
function inLines(expressions: readonly Expression[], indentation: string): string {
  const inner = `${indentation}  `;
  const place = { indentation: inner, column: inner.length };
  const lines = expressions.map((expression) => `${inner}${layOut(expression, place)},\n`);
  return `\n${lines.join("")}${indentation}`;
}

/** The text of an expression, however long it is. */
export function onOneLine(expression: Expression): string {
  switch (expression.kind) {
    case "object":
      return expression.members.length === 0
        ? "{}"
        : `{ ${expression.members.map(memberOnOneLine).join(", ")} }`;
    case "array":
      return `[${expression.items.map(onOneLine).join(", ")}]`;
    case "call":
      return `${expression.callee}(${expression.passed.map(onOneLine).join(", ")})`;
    default:
      return expression.text;
  }
}

function memberOnOneLine({ key, value }: Member): string {
  return value === undefined ? key : `${key}: ${onOneLine(value)}`;
}
