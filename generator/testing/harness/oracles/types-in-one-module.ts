import {
  emitItemTypes,
  emitSharedTypes,
  type TypeDeclaration,
  type TypeRequest,
} from "../../../5-emit/types/emit-types.js";
import { JSON_TYPE_NAMES, type JsonTypeName } from "../../../5-emit/types/json-types.js";
import type { SharedSchemaModel } from "../../../model/server-model.js";

interface JsonType {
  readonly description: string;
  readonly type: string;
  readonly uses: readonly JsonTypeName[];
}

const JSON_TYPES: Readonly<Record<JsonTypeName, JsonType>> = {
  JsonValue: {
    description: "Any JSON value.",
    type: "JsonPrimitive | JsonValue[] | JsonObject",
    uses: ["JsonPrimitive", "JsonObject"],
  },
  JsonObject: {
    description: "Any JSON object.",
    type: "{ [key: string]: JsonValue }",
    uses: ["JsonValue"],
  },
  JsonPrimitive: {
    description: "A JSON value that holds no others.",
    type: "string | number | boolean | null",
    uses: [],
  },
};

/**
 * The types of schemas as one module holds them: the shared types first, those of JSON itself last.
 *
 * @param taken names of other types in the same module
 */
export function emitTypes(
  requests: readonly TypeRequest[],
  shared: readonly SharedSchemaModel[],
  taken: Iterable<string> = [],
): TypeDeclaration[] {
  const common = emitSharedTypes(shared);
  const own = emitItemTypes(requests, common, taken);
  const jsonTypes = new Set([...common.jsonTypes, ...own.jsonTypes]);
  return [...common.declarations, ...own.declarations, ...jsonDeclarations(jsonTypes)];
}

/** The declarations of types of JSON, with those that they are made of. */
function jsonDeclarations(names: Set<JsonTypeName>): TypeDeclaration[] {
  for (const name of names) JSON_TYPES[name].uses.forEach((used) => names.add(used));
  return JSON_TYPE_NAMES.filter((name) => names.has(name)).map((name) => ({
    kind: "alias",
    name,
    docs: [JSON_TYPES[name].description],
    body: JSON_TYPES[name].type,
  }));
}
