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
  const paragraphs = [textOf(schema["title"]), textOf(schema["description"])];
  const constraints = constraintsOf(schema);
  if (constraints.length > 0) paragraphs.push(sentence(constraints));
  const told = [...new Set(paragraphs.filter((text) => text !== ""))];
  const lines = told.flatMap((text, index) => [...(index > 0 ? [""] : []), ...commentLines(text)]);
  return [...lines, ...tagLines(schema)];
}

const textOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value.trim() : "";

const sentence = (parts: readonly string[]): string => {
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function constraintsOf(schema: JsonObject): string[] {
  const value = (name: string): JsonValue | undefined => schema[name];
  return [
    ...(value("type") === "integer" ? ["integer"] : []),
    ...rangeOf(schema),
    ...sizeOf(CHARACTERS, value("minLength"), value("maxLength")),
    ...sizeOf(ITEMS, value("minItems"), value("maxItems")),
    ...sizeOf(PROPERTIES, value("minProperties"), value("maxProperties")),
    ...(value("uniqueItems") === true ? ["no two items equal"] : []),
    ...labelled("multiple of", value("multipleOf")),
    ...labelled("format", value("format")),
    ...(typeof value("pattern") === "string" ? [`pattern \`${String(value("pattern"))}\``] : []),
  ];
}

const labelled = (label: string, value: JsonValue | undefined): string[] =>
  typeof value === "string" || typeof value === "number" ? [`${label} ${value}`] : [];

function rangeOf(schema: JsonObject): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const isRange = typeof minimum === "number" && typeof maximum === "number";
  return [
    ...(isRange
      ? [`${minimum} to ${maximum}`]
      : [...labelled("at least", minimum), ...labelled("at most", maximum)]),
    ...labelled("above", exclusiveMinimum),
    ...labelled("below", exclusiveMaximum),
  ];
}

function sizeOf(unit: Unit, least: JsonValue | undefined, most: JsonValue | undefined): string[] {
  if (typeof most === "number") {
    if (least === most) return [quantity(most, unit)];
    const range = typeof least === "number" && least > 0 ? `${least} to ` : "at most ";
    return [range + quantity(most, unit)];
  }
  return typeof least === "number" && least > 0 ? [`at least ${quantity(least, unit)}`] : [];
}

/** Singular and plural. */
type Unit = readonly [one: string, many: string];
const CHARACTERS: Unit = ["character", "characters"];
const ITEMS: Unit = ["item", "items"];
const PROPERTIES: Unit = ["property", "properties"];

const quantity = (count: number, [one, many]: Unit): string =>
  `${count} ${count === 1 ? one : many}`;

function tagLines(schema: JsonObject): string[] {
  const examples = schema["examples"];
  return [
    ...literalTag("@default", schema["default"]),
    ...(Array.isArray(examples) ? examples.slice(0, 1) : []).flatMap((example) =>
      literalTag("@example", example),
    ),
    ...(schema["deprecated"] === true ? ["@deprecated"] : []),
  ];
}

function literalTag(tag: string, value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  const literal = writeLiteral(value);
  return literal.length > MAX_LITERAL_LENGTH ? [] : [`${tag} ${commentLines(literal).join(" ")}`];
}
