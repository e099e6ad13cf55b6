import {
  fieldRows,
  localDefinitions,
  type FieldRow,
} from "../../5-emit/project/schema-in-words.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { resolveReference } from "../../schema/schema-reference.js";
import { withoutTwins } from "../../text/enumeration.js";
import { readPackaged } from "../../text/package-root.js";

/** What the reference says of one kind of mapping in manifests. */
export interface ReferenceSection {
  /** The name of its definition in the schema, or `TOP_LEVEL`. */
  readonly name: string;
  /** Empty if the schema has none. */
  readonly description: string;
  readonly fields: readonly FieldRow[];
}

/** The name of the section of what stands at the root of a manifest. */
export const TOP_LEVEL = "Top level";

/** `schemas/manifest.schema.json`, as the reference shows it. */
export function readManifestSchema(): JsonObject {
  return JSON.parse(readPackaged("schemas/manifest.schema.json"), namedValues) as JsonObject;
}

/** Names each value of an enumeration once: those in small letters are for editors, and become the others. */
function namedValues(key: string, value: JsonValue): JsonValue {
  return key === "enum" && Array.isArray(value) ? withoutTwins(value) : value;
}

/** The reference of the manifest's format: each field that a manifest may have. */
export function manifestReference(schema: JsonObject): readonly ReferenceSection[] {
  return [[TOP_LEVEL, schema] as const, ...localDefinitions(schema)]
    .map(([name, definition]) => [name, withPlainFields(definition, schema)] as const)
    .filter(([, definition]) => isJsonObject(definition) && "properties" in definition)
    .map(([name, definition]) => {
      const description = isJsonObject(definition) ? definition["description"] : undefined;
      const ownFields = fieldRows(definition).filter((row) => !/[.[]/.test(row.name));
      return {
        name,
        description: typeof description === "string" ? description : "",
        fields: [...ownFields, ...patternRows(definition)],
      };
    });
}

/** Fields that refer to a definition without its own fields show its content. All show its description. */
function withPlainFields(definition: JsonSchema, root: JsonObject): JsonSchema {
  if (!isJsonObject(definition) || !isJsonObject(definition["properties"])) return definition;
  const properties = Object.entries(definition["properties"])
    .map(([name, field]) => {
      const reference = isJsonObject(field) ? field["$ref"] : undefined;
      if (!isJsonObject(field) || typeof reference !== "string") return [name, field] as const;
      const target = resolveReference(root, reference, () => undefined)?.schema;
      if (!isJsonObject(target)) return [name, field] as const;
      const { $ref: _reference, ...rest } = field;
      const { description } = { ...target, ...rest };
      const shown =
        "properties" in target
          ? { ...field, ...(description !== undefined && { description }) }
          : { ...target, ...rest };
      return [name, shown] as const;
    })
    .map(([name, field]) => [name, withKeyRule(field)] as const);
  return { ...definition, properties: Object.fromEntries(properties) as JsonObject };
}

/** The rule for the keys under a field is at the end of its description. */
function withKeyRule(field: JsonValue): JsonValue {
  const names = isJsonObject(field) ? field["propertyNames"] : undefined;
  const rule = isJsonObject(names) ? names["patternErrorMessage"] : undefined;
  if (!isJsonObject(field) || typeof rule !== "string") return field;
  const sentence = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`;
  return { ...field, description: `${String(field["description"] ?? "")} ${sentence}`.trim() };
}

/** Keys that follow a pattern, such as the codes under `diagnostics`; keys with `x-` may stand anywhere. */
function patternRows(definition: JsonSchema): FieldRow[] {
  const patterns = isJsonObject(definition) ? definition["patternProperties"] : undefined;
  if (!isJsonObject(patterns)) return [];
  const { "^x-": _extensions, ...properties } = patterns;
  return fieldRows({ type: "object", properties }).map((row) => ({
    ...row,
    name: row.name.replace(/^\^|\$$/g, ""),
  }));
}
