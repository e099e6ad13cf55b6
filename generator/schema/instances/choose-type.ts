import type { JsonObject, JsonValue } from "../../model/json.js";
import { TYPE_NAMES } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import type { ValueRequest } from "./value-request.js";

export type TypeName = (typeof TYPE_NAMES)[number];

/** The types whose keywords tell of what type a value should be where `type` does not; the first counts. */
const TELLING_TYPES = ["object", "array", "number"] as const;

/** The type of a value that all schemas of a place allow; undefined where there is none. */
export function chooseType(
  schemas: readonly JsonObject[],
  request: ValueRequest,
): TypeName | undefined {
  const only = onlyType(schemas);
  if (only !== undefined) return only;
  const allowed = TYPE_NAMES.filter((type) => schemas.every((schema) => allowsType(schema, type)));
  // "number" stands for "integer" too, and `null` is nobody's first choice.
  const types = allowed.filter((type) => type !== "integer" || !allowed.includes("number"));
  const choice: TypeName[] = types.filter((type) => type !== "null");
  if (types.includes("null")) choice.push("null");
  if (schemas.some((schema) => schema["type"] !== undefined)) {
    return choice[request.alternative % choice.length];
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
  const subjects = new Set(
    schemas.flatMap((schema) => Object.keys(schema).map((name) => KEYWORDS.get(name)?.subject)),
  );
  return TELLING_TYPES.find((type) => subjects.has(type)) ?? "string";
}

function allowsType(schema: JsonObject, type: TypeName): boolean {
  const stated = schema["type"];
  if (stated === undefined) return true;
  const types = Array.isArray(stated) ? stated : [stated];
  return types.includes(type) || (type === "integer" && types.includes("number"));
}
