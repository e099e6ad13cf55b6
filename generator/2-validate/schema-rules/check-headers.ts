import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue, type SchemaPath } from "../../schema/json-schema.js";
import { walkSchema } from "../../schema/subschemas.js";
import {
  headerNotToken,
  headerPlace,
  headerType,
  repeatedHeader,
} from "../../model/catalogue/headers.js";
import { describeValue } from "../../text/value-words.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

const KEYWORD = "x-mcp-header";

/** RFC 9110's token. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const TYPES: readonly unknown[] = ["string", "integer", "boolean"];

/** Checks `x-mcp-header`. Clients drop a tool that breaks one of these rules. */
export function* checkHeaders(node: SchemaNode, document: SchemaDocument): Generator<Diagnostic> {
  const { schema, path } = node;
  const value = ownValue(schema, KEYWORD);
  if (value === undefined || document.role === "output") return;
  const at = [...path, KEYWORD];
  if (document.role === "shared" || !isReachedThroughProperties(path)) {
    yield headerPlace(placeOf(document, at, "key"), {});
  }
  if (typeof value !== "string" || !TOKEN.test(value)) {
    yield headerNotToken(placeOf(document, at, "value"), { found: describeValue(value) });
  } else if (firstWithHeader(value, document) !== node.schema) {
    yield repeatedHeader(placeOf(document, at, "value"), { name: value });
  }
  const type = ownValue(schema, "type");
  if (TYPES.includes(type)) return;
  const typePath = type === undefined ? path : [...path, "type"];
  const found = type === undefined ? "no type" : `type: ${JSON.stringify(type)}`;
  yield headerType(placeOf(document, typePath, "value"), { found });
}

/** True for a path of `properties`, a name, `properties`, a name, and so on. */
function isReachedThroughProperties(path: SchemaPath): boolean {
  return (
    path.length > 0 && path.every((segment, index) => index % 2 === 1 || segment === "properties")
  );
}

const headerIndexes = new WeakMap<JsonObject, ReadonlyMap<string, JsonObject>>();

/** The first schema of the document with a header. The case of a header's name does not count. */
function firstWithHeader(name: string, { root }: SchemaDocument): JsonObject | undefined {
  const index = headerIndexes.get(root) ?? indexHeaders(root);
  headerIndexes.set(root, index);
  return index.get(name.toLowerCase());
}

function indexHeaders(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const index = new Map<string, JsonObject>();
  for (const [, schema] of walkSchema(root)) {
    const name = isJsonObject(schema) ? ownValue(schema, KEYWORD) : undefined;
    if (!isJsonObject(schema) || typeof name !== "string") continue;
    if (!index.has(name.toLowerCase())) index.set(name.toLowerCase(), schema);
  }
  return index;
}
