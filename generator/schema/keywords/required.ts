import { finding, type KeywordCheck } from "../comparison/check.js";
import { keyword } from "../comparison/schema-node.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { quoted } from "../../text/value-words.js";
import type { Finding } from "../finding.js";
import { namesIn } from "../read-schema.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const isMissing = ({ property = "" }: Finding): string =>
  `needs the property ${quoted(property)}`;

export function withoutKey(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

const compareRequired: KeywordCheck = (narrow, wide) => {
  const names = keyword(wide, "required");
  if (!Array.isArray(names) || !narrow.types.has("object")) return [];
  const own = narrow.required;
  return names.flatMap((name) => {
    if (typeof name !== "string" || own.has(name)) return [];
    const answer = narrow.isExactFor("object") ? "incompatible" : "unknown";
    const excess = { kind: "absent property", property: name } as const;
    return [finding(answer, excess, narrow, wide, ["properties", name])];
  });
};

export const required: KeywordDefinition = {
  name: "required",
  shape: "name list",
  dialects: BOTH_DIALECTS,
  subject: "object",
  adviceFor(rule) {
    if (typeof rule === "boolean") {
      return 'list the names beside "properties": required: [name]';
    }
    return typeof rule === "string" ? `write required: [${rule}]` : undefined;
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
  breaking: {
    entries: (rule) => [...namesIn(rule).keys()],
    candidates({ value, rule, entry }) {
      const name = namesIn(rule)[Number(entry)];
      return isJsonObject(value) && name !== undefined ? [withoutKey(value, name)] : [];
    },
  },
  problem: isMissing,
};
