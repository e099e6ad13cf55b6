import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { limitsInWords } from "../../schema/limits-in-words.js";
import { commentLines, writeLiteral } from "../../text/literal.js";

/** Maximum length of a default or example in a comment, in characters. Longer ones are left out. */
const MAX_LITERAL_LENGTH = 120;

/**
 * The lines of a doc comment for a schema: its description, the constraints that a type cannot
 * express, and tags. Empty if the schema has none of these. The lines cannot end the comment.
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
  const limits = limitsInWords(schema, "comment");
  return schema["type"] === "integer" ? ["integer", ...limits] : limits;
}

const NO_LINES: readonly string[] = [];

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
