import type { JsonObject, JsonValue } from "../../model/json.js";
import { TYPE_NAMES } from "../../schema/json-schema.js";
import type { Wish } from "./wish.js";

export type TypeName = (typeof TYPE_NAMES)[number];

/** The keywords that tell of what type a value should be where `type` does not. */
const TELLING_KEYWORDS: readonly (readonly [TypeName, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties"]],
  ["object", ["minProperties", "maxProperties", "propertyNames", "dependentRequired"]],
  ["object", ["dependentSchemas", "dependencies", "unevaluatedProperties"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]],
  ["array", ["unevaluatedItems"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The type of a value that all schemas of a place allow; undefined where there is none. */
export function chooseType(schemas: readonly JsonObject[], wish: Wish): TypeName | undefined {
  const only = onlyType(schemas);
  if (only !== undefined) return only;
  const allowed = TYPE_NAMES.filter((type) => schemas.every((schema) => allowsType(schema, type)));
  // "number" stands for "integer" too, and `null` is nobody's first choice.
  const types = allowed.filter((type) => type !== "integer" || !allowed.includes("number"));
  const choice: TypeName[] = types.filter((type) => type !== "null");
  if (types.includes("null")) choice.push("null");
  if (schemas.some((schema) => schema["type"] !== undefined)) {
    return choice[wish.alternative % choice.length];
  }
  return toldType(schemas);
}

/** The one type that schemas state, if no two of them state different ones. */
function onlyType(schemas: readonly JsonObject[]): TypeName | undefined {
  let only: JsonValue | undefined;
  for (const { type } of schemas) {
    if (type === undefined) continue;
    if (only !== undefined && type !== only) return undefined;
    only = type;
  }
  return TYPE_NAMES.find((name) => name === only);
}

function toldType(schemas: readonly JsonObject[]): TypeName {
  for (const [type, keywords] of TELLING_KEYWORDS) {
    if (schemas.some((schema) => keywords.some((name) => Object.hasOwn(schema, name)))) return type;
  }
  return "string";
}

function allowsType(schema: JsonObject, type: TypeName): boolean {
  const stated = schema["type"];
  if (stated === undefined) return true;
  const types = Array.isArray(stated) ? stated : [stated];
  return types.includes(type) || (type === "integer" && types.includes("number"));
}
