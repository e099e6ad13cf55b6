import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { requiredWithoutDescription, unknownFormat } from "../../model/catalogue/schema-meaning.js";
import { FORMAT_CHECKS, LENIENT_FORMATS } from "../../schema/formats/format-checks.js";
import { resolveReference } from "../../schema/schema-reference.js";
import { quoted } from "../../text/value-words.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

const KNOWN_FORMATS: readonly string[] = [...FORMAT_CHECKS.keys(), ...LENIENT_FORMATS];

/** True if validators check the format, or if it allows every value. Other formats have no effect. */
function isKnownFormat(name: string): boolean {
  return KNOWN_FORMATS.includes(name);
}

/** The most references that are followed to find a description. */
const MAX_HOPS = 10;

/** Warns of formats without an effect, and of required properties without a description. */
export function* checkAnnotations(
  node: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const format = ownValue(node.schema, "format");
  if (typeof format === "string" && !isKnownFormat(format)) {
    const nearest = document.run.nearest(format, KNOWN_FORMATS);
    yield unknownFormat(placeOf(document, [...node.path, "format"], "value"), {
      format: quoted(format),
      ...(nearest && { nearest }),
    });
  }
  if (document.role === "input") yield* checkDescriptions(node, document);
}

function* checkDescriptions(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const required = ownValue(schema, "required");
  const properties = ownValue(schema, "properties");
  if (!Array.isArray(required) || !isJsonObject(properties)) return;
  for (const name of required) {
    const property = typeof name === "string" ? ownValue(properties, name) : undefined;
    if (typeof name !== "string" || !isJsonObject(property)) continue;
    if (isDescribed(property, document)) continue;
    yield requiredWithoutDescription(placeOf(document, [...path, "properties", name], "key"), {
      name,
    });
  }
}

/** True if a property, or the target of its reference, has a description or needs none. */
function isDescribed(property: JsonObject, { root, run }: SchemaDocument): boolean {
  let [schema, holder]: [JsonSchema, JsonSchema] = [property, root];
  for (let hop = 0; hop < MAX_HOPS && isJsonObject(schema); hop++) {
    const description = ownValue(schema, "description");
    if (typeof description === "string" && description.trim() !== "") return true;
    // A constant needs no description.
    if (Object.hasOwn(schema, "const")) return true;
    const reference = ownValue(schema, "$ref");
    if (typeof reference !== "string") return false;
    const target = resolveReference(holder, reference, run.shared);
    if (target === undefined) return true;
    [schema, holder] = [target.schema, target.root];
  }
  return false;
}
