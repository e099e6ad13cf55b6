import { inputRootNotObject } from "../../model/catalogue/schema.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue, TYPE_NAMES } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { resolveReference, type ReferenceTarget } from "../../schema/schema-reference.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import type { Mend } from "../../model/mend.js";

/** The most references that are followed from the root of an inputSchema. */
const MAX_HOPS = 100;

/** Checks that the root of an inputSchema, or the target of its `$ref`, has `type: object`. */
export function* checkInputRoot(document: SchemaDocument): Generator<Diagnostic> {
  let target: ReferenceTarget = { schema: document.root, root: document.root, path: [] };
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const { schema, root } = target;
    const type = isJsonObject(schema) ? ownValue(schema, "type") : undefined;
    if (type === "object" || isTypeIndented(schema)) return;
    const reference = isJsonObject(schema) ? ownValue(schema, "$ref") : undefined;
    if (type !== undefined || typeof reference !== "string") {
      yield hop === 0 ? rootProblem(document, type) : problemBehind(document, target, type);
      return;
    }
    const next = resolveReference(root, reference, document.run.shared);
    // Another rule reports a reference that leads nowhere.
    if (next === undefined) return;
    // A reference from a shared schema to a part of itself does not contain its name.
    const sharedName = next.sharedName ?? (next.root === root ? target.sharedName : undefined);
    target = { ...next, ...(sharedName !== undefined && { sharedName }) };
  }
}

/** True if `type: object` stands under `properties`, where another rule reports it. */
function isTypeIndented(schema: JsonValue): boolean {
  const properties = isJsonObject(schema) ? ownValue(schema, "properties") : undefined;
  return isJsonObject(properties) && ownValue(properties, "type") === "object";
}

/** Keywords that authors write for an object without stating its type. */
const OBJECT_KEYWORDS = "properties required additionalProperties oneOf anyOf allOf".split(" ");

/**
 * Advice for the root of an inputSchema without a type. SDKs of MCP take arguments without `properties` around them:
 * `inputSchema: { city: z.string() }`.
 */
function adviceForRoot(root: JsonObject): string | undefined {
  const objectKeyword = OBJECT_KEYWORDS.find((key) => Object.hasOwn(root, key));
  if (objectKeyword !== undefined) return `write \`type: object\` beside \`${objectKeyword}\``;
  const isFlat = Object.keys(root).some((key) => !KEYWORDS.has(key));
  return isFlat ? "the arguments stand under `properties`, beside `type: object`" : undefined;
}

/** Advice for arguments that are stated to be of another type than an object, or by a reference alone. */
export function adviceForRootType(type: JsonValue): string | undefined {
  if (Array.isArray(type) && type.includes("object")) return "write `type: object`";
  const isType = (TYPE_NAMES as readonly JsonValue[]).includes(type);
  return isType
    ? `the arguments are one object: {type: object, properties: {value: {type: ${String(type)}}}}`
    : undefined;
}

function rootProblem(document: SchemaDocument, type: JsonValue | undefined): Diagnostic {
  if (type === undefined) {
    const advice = adviceForRoot(document.root);
    const found = "a schema without it";
    const isOfObjects = OBJECT_KEYWORDS.some((key) => Object.hasOwn(document.root, key));
    const mend: Mend | undefined = isOfObjects
      ? { edit: "add key", key: "type", value: "object" }
      : undefined;
    const parameters = { found, ...(advice && { advice }), ...(mend && { mend }) };
    return inputRootNotObject(placeOf(document, [], "key"), parameters);
  }
  const found = typeWords(type);
  const advice = adviceForRootType(type);
  const place = placeOf(document, ["type"], "value");
  return inputRootNotObject(place, { found, ...(advice && { advice }) });
}

/** Reports a root whose reference leads to something else than an object. */
function problemBehind(
  document: SchemaDocument,
  { schema, path, sharedName }: ReferenceTarget,
  type: JsonValue | undefined,
): Diagnostic {
  const { run, at } = document;
  const name = [...(sharedName === undefined ? [] : ["schemas", sharedName]), ...path].join(".");
  const rootPath = sharedName === undefined ? at : ["schemas", sharedName];
  const found = type === undefined ? "has no type" : `has ${typeWords(type)}`;
  const what = isJsonObject(schema) ? found : `is ${String(schema)}`;
  return inputRootNotObject(
    placeOf(document, [], "key"),
    { found: `a reference to ${name}, which ${what}`, advice: adviceBehind(name, schema, type) },
    [{ ...run.manifest.locate([...rootPath, ...path], "key"), message: `${name} ${what}` }],
  );
}

/** Advice for a root whose reference leads to something else than an object. */
function adviceBehind(
  name: string,
  schema: ReferenceTarget["schema"],
  type: JsonValue | undefined,
): string {
  if (type !== undefined || !isJsonObject(schema)) {
    return `put the value into a property: \`type: object\`, and the reference to ${name} under \`properties\``;
  }
  const objectKeyword = OBJECT_KEYWORDS.find((key) => Object.hasOwn(schema, key));
  const beside = objectKeyword === undefined ? "" : ` beside \`${objectKeyword}\``;
  return `add \`type: object\` to ${name}${beside}`;
}

const typeWords = (type: JsonValue): string =>
  `type: ${typeof type === "string" ? type : JSON.stringify(type)}`;
