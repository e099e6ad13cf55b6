import { finding, type KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { quoted } from "../../text/value-words.js";
import type { Finding } from "../finding.js";
import { namesIn, schemaEntries } from "../keyword-values.js";
import { amongObjects, ANY, type Type } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";
import { withoutObjects } from "./object-exclusion.js";

/** The problem of a missing property, in words. */
export const missingProblem = ({ property = "" }: Finding): string =>
  `needs the property ${quoted(property)}`;

export function withoutKey(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

const compareRequired: KeywordCheck = (narrow, wide) => {
  const names = keyword(wide, "required");
  if (!Array.isArray(names) || !narrow.types.has("object")) return [];
  const narrowRequired = narrow.required;
  return names.flatMap((name) => {
    if (typeof name !== "string" || narrowRequired.has(name)) return [];
    const answer = narrow.isExactFor("object") ? "incompatible" : "unknown";
    const excess = { kind: "absent property", property: name } as const;
    return [finding(answer, excess, narrow, wide, ["properties", name])];
  });
};

/** Lists the properties in the order of `properties`, which becomes the order in the generated type. */
function typeOfRequired(rule: JsonValue, typing: Typing): Type {
  const required = new Set(namesIn(rule));
  const names = [...schemaEntries(typing.beside("properties")).map(([name]) => name), ...required];
  const properties = names.map(
    (name) => [name, { type: ANY, required: required.has(name) }] as const,
  );
  return amongObjects({ properties: new Map(properties), rest: ANY, refinements: [] });
}

export const required: KeywordDefinition = {
  name: "required",
  shape: "name list",
  dialects: BOTH_DIALECTS,
  subject: "object",
  adviceFor(rule, property = "name") {
    // draft-03, and MarkusPfundstein/mcp-gsuite#52
    return typeof rule === "boolean"
      ? `list the names beside "properties": required: [${property}]`
      : undefined;
  },
  check(value, rule, checking) {
    if (!isJsonObject(value)) return;
    for (const name of namesIn(rule)) {
      if (Object.hasOwn(value, name)) continue;
      checking.report(`must have required property '${name}'`, { property: name });
    }
  },
  compare: compareRequired,
  mayLeaveFew: true,
  type: typeOfRequired,
  exclude: withoutObjects,
  breaking: {
    entries: (rule) => [...namesIn(rule).keys()],
    candidates({ value, rule, entry }) {
      const name = namesIn(rule)[Number(entry)];
      return isJsonObject(value) && name !== undefined ? [withoutKey(value, name)] : [];
    },
  },
  problem: missingProblem,
};
