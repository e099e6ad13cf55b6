import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { commentLines, writeLiteral } from "../../text/literal.js";

/** The longest default or example that is worth repeating in a comment, in characters. */
const MAX_LITERAL_LENGTH = 120;

/**
 * The lines of a doc comment for a schema: its description, the constraints that a type cannot
 * say, and tags. None for a schema that says nothing. Safe to stand in a comment as they are.
 */
export function docLines(schema: JsonSchema | undefined): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const title = textOf(schema["title"]);
  const description = textOf(schema["description"]);
  const constraints = sentence(constraintsOf(schema));
  const lines: string[] = [];
  addParagraph(lines, title);
  if (description !== title) addParagraph(lines, description);
  if (constraints !== title && constraints !== description) addParagraph(lines, constraints);
  lines.push(...tagLines(schema));
  return lines;
}

function addParagraph(lines: string[], text: string): void {
  if (text === "") return;
  if (lines.length > 0) lines.push("");
  lines.push(...commentLines(text));
}

const textOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value.trim() : "";

const sentence = (parts: readonly string[]): string => {
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function constraintsOf(schema: JsonObject): string[] {
  const { type, uniqueItems, pattern } = schema;
  const told: string[] = [];
  if (type === "integer") told.push("integer");
  addRange(told, schema);
  addSize(told, CHARACTERS, schema["minLength"], schema["maxLength"]);
  addSize(told, ITEMS, schema["minItems"], schema["maxItems"]);
  addSize(told, PROPERTIES, schema["minProperties"], schema["maxProperties"]);
  if (uniqueItems === true) told.push("no two items equal");
  addLabelled(told, "multiple of", schema["multipleOf"]);
  addLabelled(told, "format", schema["format"]);
  if (typeof pattern === "string") told.push(`pattern \`${pattern}\``);
  return told;
}

function addLabelled(told: string[], label: string, value: JsonValue | undefined): void {
  if (typeof value === "string" || typeof value === "number") told.push(`${label} ${value}`);
}

function addRange(told: string[], schema: JsonObject): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (typeof minimum === "number" && typeof maximum === "number") {
    told.push(`${minimum} to ${maximum}`);
  } else {
    addLabelled(told, "at least", minimum);
    addLabelled(told, "at most", maximum);
  }
  addLabelled(told, "above", exclusiveMinimum);
  addLabelled(told, "below", exclusiveMaximum);
}

function addSize(
  told: string[],
  unit: Unit,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
): void {
  const asksForSome = typeof least === "number" && least > 0;
  if (typeof most === "number") {
    const range = asksForSome ? `${least} to ` : "at most ";
    told.push(least === most ? quantity(most, unit) : range + quantity(most, unit));
  } else if (asksForSome) told.push(`at least ${quantity(least, unit)}`);
}

const NO_LINES: readonly string[] = [];

/** Singular and plural. */
type Unit = readonly [one: string, many: string];
const CHARACTERS: Unit = ["character", "characters"];
const ITEMS: Unit = ["item", "items"];
const PROPERTIES: Unit = ["property", "properties"];

const quantity = (count: number, [one, many]: Unit): string =>
  `${count} ${count === 1 ? one : many}`;

function tagLines(schema: JsonObject): readonly string[] {
  const { examples, default: value, deprecated } = schema;
  if (examples === undefined && value === undefined && deprecated === undefined) return NO_LINES;
  return [
    ...literalTag("@default", value),
    ...(Array.isArray(examples) ? examples.slice(0, 1) : []).flatMap((example) =>
      literalTag("@example", example),
    ),
    ...(deprecated === true ? ["@deprecated"] : []),
  ];
}

function literalTag(tag: string, value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  const literal = writeLiteral(value);
  return literal.length > MAX_LITERAL_LENGTH ? [] : [`${tag} ${commentLines(literal).join(" ")}`];
}
