import { inputRootNotObject } from "../../model/catalogue/schema.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { resolveReference, type ReferenceTarget } from "../../schema/schema-reference.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/** References are followed so far to the object at the root of an inputSchema. */
const MAX_HOPS = 100;

/** The root of an inputSchema says `type: object`, itself or where its `$ref` leads. */
export function* checkInputRoot(document: SchemaDocument): Generator<Diagnostic> {
  let target: ReferenceTarget = { schema: document.root, root: document.root, path: [] };
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const { schema, root } = target;
    const type = isJsonObject(schema) ? ownValue(schema, "type") : undefined;
    if (type === "object") return;
    const reference = isJsonObject(schema) ? ownValue(schema, "$ref") : undefined;
    if (type !== undefined || typeof reference !== "string") {
      yield hop === 0 ? ownProblem(document, type) : problemBehind(document, target, type);
      return;
    }
    const next = resolveReference(root, reference, document.run.shared);
    // A reference that leads nowhere is reported on its own.
    if (next === undefined) return;
    // Within a shared schema, a reference to a part of it does not name it again.
    const sharedName = next.sharedName ?? (next.root === root ? target.sharedName : undefined);
    target = { ...next, ...(sharedName !== undefined && { sharedName }) };
  }
}

/** What people write of the arguments without saying that they are an object. */
const SAID_OF_OBJECTS = "properties required additionalProperties oneOf anyOf allOf".split(" ");

/** What an input schema lacks that says nothing of its type. */
function adviceForRoot(root: JsonObject): string | undefined {
  const ofObjects = SAID_OF_OBJECTS.find((key) => Object.hasOwn(root, key));
  if (ofObjects !== undefined) return `write \`type: object\` beside \`${ofObjects}\``;
  const isFlat = Object.keys(root).some((key) => !KEYWORDS.has(key));
  return isFlat ? "the arguments stand under `properties`, beside `type: object`" : undefined;
}

function ownProblem(document: SchemaDocument, type: JsonValue | undefined): Diagnostic {
  if (type === undefined) {
    const advice = adviceForRoot(document.root);
    const found = "a schema without it";
    return inputRootNotObject(placeOf(document, [], "key"), { found, ...(advice && { advice }) });
  }
  const found = typeWords(type);
  return inputRootNotObject(placeOf(document, ["type"], "value"), { found });
}

/** The problem of a root whose reference leads to something else than an object. */
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

/** What makes the schema that a reference leads to, or the reference, the schema of an object. */
function adviceBehind(
  name: string,
  schema: ReferenceTarget["schema"],
  type: JsonValue | undefined,
): string {
  if (type !== undefined || !isJsonObject(schema)) {
    return `put the value into a property: \`type: object\`, and the reference to ${name} under \`properties\``;
  }
  const ofObjects = SAID_OF_OBJECTS.find((key) => Object.hasOwn(schema, key));
  const beside = ofObjects === undefined ? "" : ` beside \`${ofObjects}\``;
  return `add \`type: object\` to ${name}${beside}`;
}

const typeWords = (type: JsonValue): string =>
  `type: ${typeof type === "string" ? type : JSON.stringify(type)}`;
