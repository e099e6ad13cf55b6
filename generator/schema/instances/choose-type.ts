import type { JsonObject, JsonValue } from "../../model/json.js";
import { TYPE_NAMES, type TypeName } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import type { ValueRequest } from "./value-request.js";

/** Types that are inferred from their keywords if `type` is missing, most important first. */
const INFERABLE_TYPES = ["object", "array", "number"] as const;

/** A type that all schemas allow; undefined if there is none. */
export function chooseType(
  schemas: readonly JsonObject[],
  request: ValueRequest,
): TypeName | undefined {
  const only = onlyType(schemas);
  if (only !== undefined) return only;
  const allowed = TYPE_NAMES.filter((type) => schemas.every((schema) => allowsType(schema, type)));
  // "number" includes "integer"; `null` is the last choice.
  const types = allowed.filter((type) => type !== "integer" || !allowed.includes("number"));
  const choice: TypeName[] = types.filter((type) => type !== "null");
  if (types.includes("null")) choice.push("null");
  if (schemas.some((schema) => schema["type"] !== undefined)) {
    return choice[request.alternative % choice.length];
  }
  return inferredType(schemas);
}

/** The only type that the schemas state; undefined if they state none, several or a list. */
function onlyType(schemas: readonly JsonObject[]): TypeName | undefined {
  let only: JsonValue | undefined;
  for (const { type } of schemas) {
    if (type === undefined) continue;
    if (only !== undefined && type !== only) return undefined;
    only = type;
  }
  return TYPE_NAMES.find((name) => name === only);
}

function inferredType(schemas: readonly JsonObject[]): TypeName {
  const subjects = new Set(
    schemas.flatMap((schema) => Object.keys(schema).map((name) => KEYWORDS.get(name)?.subject)),
  );
  return INFERABLE_TYPES.find((type) => subjects.has(type)) ?? "string";
}

function allowsType(schema: JsonObject, type: TypeName): boolean {
  const stated = schema["type"];
  if (stated === undefined) return true;
  const types = Array.isArray(stated) ? stated : [stated];
  return types.includes(type) || (type === "integer" && types.includes("number"));
}
