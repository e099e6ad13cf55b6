import { isJsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import { namesIn, schemaEntries } from "../keyword-values.js";
import type { ObjectForm } from "./object-form.js";

/** Describes the alternatives of `anyOf` or `oneOf`, one on each line, for models that get no such keyword. */
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
    .filter(([name, schema]) => !required.includes(name) && !isFixed(name) && isJsonObject(schema))
    .map(([name]) => name);
  const requiredNames = required.filter((name) => !isFixed(name));
  const phrases = [
    ...fixed.map(([, words]) => words),
    ...(requiredNames.length > 0 ? [`with ${requiredNames.join(", ")}`] : []),
    ...(optional.length > 0 ? [`may have ${optional.join(", ")}`] : []),
  ];
  const label = [keywords["title"], keywords["description"]].find(
    (text) => typeof text === "string",
  );
  const content = phrases.length > 0 ? phrases.join("; ") : "an object";
  return label === undefined ? content : `${label}: ${content}`;
}

/** The one value that a schema accepts; undefined if it accepts others too. */
function soleValue(schema: JsonSchema): JsonValue | undefined {
  if (!isJsonObject(schema)) return undefined;
  const listed = schema["enum"];
  return Array.isArray(listed) && listed.length === 1 ? listed[0] : schema["const"];
}
