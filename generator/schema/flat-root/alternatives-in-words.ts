import { isJsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import { namesIn, schemaEntries } from "../read-schema.js";
import type { ObjectForm } from "./object-form.js";

/** What a choice between objects asks for, a line for each alternative: what a model reads instead of the choice. */
export function alternativesInWords(
  keyword: "anyOf" | "oneOf",
  alternatives: readonly ObjectForm[],
): string {
  const count = keyword === "oneOf" ? "exactly one" : "at least one";
  const lines = alternatives.map((form) => `- ${alternativeInWords(form)}`);
  return [`The arguments must fit ${count} of these:`, ...lines].join("\n");
}

function alternativeInWords({ keywords }: ObjectForm): string {
  const properties = schemaEntries(keywords["properties"]);
  const required = namesIn(keywords["required"]);
  const fixed = properties.flatMap(([name, schema]) => {
    const value = soleValue(schema);
    return value === undefined ? [] : [[name, `${name} is ${JSON.stringify(value)}`] as const];
  });
  const isFixed = (name: string): boolean => fixed.some(([fixedName]) => fixedName === name);
  const optional = properties
    .filter(([name, schema]) => !required.includes(name) && !isFixed(name) && isPossible(schema))
    .map(([name]) => name);
  const asked = required.filter((name) => !isFixed(name));
  const parts = [
    ...fixed.map(([, words]) => words),
    ...(asked.length > 0 ? [`with ${asked.join(", ")}`] : []),
    ...(optional.length > 0 ? [`may have ${optional.join(", ")}`] : []),
  ];
  const label = [keywords["title"], keywords["description"]].find(
    (text) => typeof text === "string",
  );
  const what = parts.length > 0 ? parts.join("; ") : "an object";
  return label === undefined ? what : `${label}: ${what}`;
}

const isPossible = (schema: JsonSchema): boolean => schema !== true && schema !== false;

/** The one value that a schema accepts; undefined where there are others. */
function soleValue(schema: JsonSchema): JsonValue | undefined {
  if (!isJsonObject(schema)) return undefined;
  const listed = schema["enum"];
  return Array.isArray(listed) && listed.length === 1 ? listed[0] : schema["const"];
}
