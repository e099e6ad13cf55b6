import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema } from "../../schema/json-schema.js";
import { itemSchemas } from "../../schema/keywords/item-schemas.js";
import { limitsInWords } from "../../schema/limits-in-words.js";
import { parseReference, writeReference } from "../../schema/schema-reference.js";

/** A row of a table of properties in SERVER.md. Its texts are not escaped yet. */
export interface FieldRow {
  /** Path from the schema's root: `filter.tags[].name`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: JsonValue;
  readonly description: string;
  /** The header that repeats an argument over HTTP. */
  readonly header?: string;
}

/** Number of values of an `enum` that are shown. */
const SHOWN_VALUES = 20;

/** Descriptions of schemas, by the references that lead to them. */
export type ReferenceDescriptions = ReadonlyMap<string, string>;

/**
 * The properties of a schema and of the objects inside it. References are named, not followed, so
 * the result is no larger than the schema. A property without a description gets the one of the schema that it
 * refers to.
 */
export function fieldRows(
  schema: JsonSchema,
  described: ReferenceDescriptions = new Map(),
): FieldRow[] {
  return rowsOf(schema, described, "", false);
}

/** The arguments of a tool as rows, with the HTTP headers in which clients may repeat them. */
export function argumentRows(
  schema: JsonSchema,
  described: ReferenceDescriptions = new Map(),
): FieldRow[] {
  return rowsOf(schema, described, "", true);
}

/** @param hasHeaders true if `x-mcp-header` has a meaning here: in properties, not in items of lists */
function rowsOf(
  schema: JsonSchema,
  described: ReferenceDescriptions,
  prefix: string,
  hasHeaders: boolean,
): FieldRow[] {
  if (!isJsonObject(schema)) return [];
  const required = Array.isArray(schema["required"]) ? new Set(schema["required"]) : new Set();
  return subschemas(schema["properties"]).flatMap(([key, property]) => {
    const name = prefix + key;
    const header = hasHeaders ? text(property, "x-mcp-header") : undefined;
    const row: FieldRow = {
      name,
      type: typeInWords(property),
      required: required.has(key),
      ...(isJsonObject(property) && "default" in property && { default: property["default"] }),
      description: descriptionOf(property, described),
      ...(header !== undefined && { header: `Mcp-Param-${header}` }),
    };
    const items = isJsonObject(property) ? property["items"] : undefined;
    return [
      row,
      ...rowsOf(property, described, `${name}.`, hasHeaders),
      ...(isJsonSchema(items) ? rowsOf(items, described, `${name}[].`, false) : []),
    ];
  });
}

function descriptionOf(schema: JsonSchema, described: ReferenceDescriptions): string {
  const referred = described.get(text(schema, "$ref") ?? "");
  return text(schema, "description") ?? text(schema, "title") ?? referred ?? "";
}

/**
 * Descriptions of schemas and of their properties, by reference.
 *
 * @param key key of the document that holds the schemas, such as `$defs` or `schemas`
 */
export function referenceDescriptions(
  key: string,
  schemas: readonly (readonly [name: string, schema: JsonSchema])[],
): [reference: string, description: string][] {
  return schemas.flatMap(([name, schema]) => {
    const properties = isJsonObject(schema) ? subschemas(schema["properties"]) : [];
    return [
      ...describedAs([key, name], schema),
      ...properties.flatMap(([property, inner]) =>
        describedAs([key, name, "properties", property], inner),
      ),
    ];
  });
}

function describedAs(
  path: readonly string[],
  schema: JsonSchema,
): [reference: string, description: string][] {
  const description = text(schema, "description") ?? text(schema, "title");
  return description === undefined ? [] : [[writeReference(path), description]];
}

function subschemas(map: JsonValue | undefined): [string, JsonSchema][] {
  if (!isJsonObject(map)) return [];
  return Object.entries(map).filter((entry): entry is [string, JsonSchema] =>
    isJsonSchema(entry[1]),
  );
}

function text(schema: JsonSchema, keyword: string): string | undefined {
  const value = isJsonObject(schema) ? schema[keyword] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A schema in a few words: "integer, 1 to 14". */
export function typeInWords(schema: JsonSchema): string {
  if (schema === true) return "anything";
  if (schema === false) return "nothing";
  const kind = kindInWords(schema);
  const limits = limitsInWords(schema, "table");
  return [kind, ...limits].join(", ");
}

function kindInWords(schema: JsonObject): string {
  if (typeof schema["$ref"] === "string") return referenceName(schema["$ref"]);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return valuesInWords(schema["enum"]);
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives)) {
    return alternatives.filter(isJsonSchema).map(alternativeInWords).join(" or ");
  }
  const parts = schema["allOf"];
  if (schema["type"] === undefined && Array.isArray(parts)) {
    return parts.filter(isJsonSchema).map(alternativeInWords).join(" and ");
  }
  const types = [schema["type"] ?? "anything"].flat();
  return types.map((type) => kindOfTypeInWords(String(type), schema)).join(" or ");
}

function kindOfTypeInWords(type: string, schema: JsonObject): string {
  if (type === "array") return listInWords(schema);
  return type === "object" ? mapInWords(schema) : type;
}

/** An object whose members may have any name: "object of …". Other objects are only "object", since their fields have rows. */
function mapInWords({ properties, patternProperties, additionalProperties }: JsonObject): string {
  const values = [
    ...subschemas(patternProperties).map(([, schema]) => schema),
    additionalProperties,
  ];
  const [first, ...others] = values.filter(isJsonObject);
  const isMap = first !== undefined && others.length === 0 && subschemas(properties).length === 0;
  return isMap ? `object of ${typeInWords(first)}` : "object";
}

/** Number of fields that are shown of an object among several alternatives. */
const SHOWN_FIELDS = 8;

/** A schema among several alternatives. Objects are shown with their fields: `{ kind: "card", last4?: string }`. */
function alternativeInWords(schema: JsonSchema): string {
  const fields =
    isJsonObject(schema) && !("$ref" in schema) ? subschemas(schema["properties"]) : [];
  if (!isJsonObject(schema) || fields.length === 0) return typeInWords(schema);
  const required = new Set([schema["required"]].flat());
  const shown = fields.slice(0, SHOWN_FIELDS).map(([name, field]) => {
    const kind = isJsonObject(field) ? kindInWords(field) : typeInWords(field);
    return `${name}${required.has(name) ? "" : "?"}: ${kind}`;
  });
  const more = fields.length > SHOWN_FIELDS ? ", …" : "";
  const title = text(schema, "title");
  return `${title === undefined ? "" : `${title} `}{ ${shown.join(", ")}${more} }`;
}

function listInWords(schema: JsonObject): string {
  const { first, rest } = itemSchemas((keyword) => schema[keyword]);
  if (first.length === 0) return isJsonObject(rest) ? `list of ${typeInWords(rest)}` : "list";
  const more = isJsonObject(rest) ? [`more of ${typeInWords(rest)}`] : [];
  return `list [${[...first.map(typeInWords), ...more].join("; ")}]`;
}

function valuesInWords(values: readonly JsonValue[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => JSON.stringify(value));
  const more = values.length - shown.length;
  return `one of ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The name of a referenced schema: `City` for `#/schemas/City` and `#/$defs/City`, `zone of City` for a property of it. */
function referenceName(reference: string): string {
  const parsed = parseReference(reference);
  if (parsed.kind === "anchor") return parsed.name;
  if (parsed.kind === "shared") return partName(parsed.name, parsed.pointer);
  return (parsed.kind === "pointer" ? parsed.pointer.at(-1) : undefined) ?? "the same again";
}

function partName(name: string, pointer: readonly string[]): string {
  const [keyword, property, ...rest] = pointer;
  if (keyword === "properties" && property !== undefined && rest.length === 0) {
    return `${property} of ${name}`;
  }
  return [name, ...pointer].join("/");
}

/** True if a schema has `patternProperties`. */
export function hasNamePatterns(schema: JsonSchema): boolean {
  return isJsonObject(schema) && subschemas(schema["patternProperties"]).length > 0;
}

/** True if a schema accepts no members except its named properties. */
export function isClosedObject(schema: JsonSchema): boolean {
  return (
    isJsonObject(schema) && schema["additionalProperties"] === false && !hasNamePatterns(schema)
  );
}

/** Keywords that a table of fields already shows. */
const SHOWN_BY_TABLE: ReadonlySet<string> = new Set(
  "$schema $defs definitions type title description properties required default examples".split(
    " ",
  ),
);

/** The keywords of a schema's root that a table of fields cannot show (`anyOf`, `if`, …); undefined if there are none. */
export function furtherRules(schema: JsonSchema): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const isClosed = isClosedObject(schema);
  const rules = Object.entries(schema).filter(
    ([keyword]) =>
      !SHOWN_BY_TABLE.has(keyword) && !(keyword === "additionalProperties" && isClosed),
  );
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

/** Descriptions of the schemas under `$defs` or `definitions`, by reference. */
export function localDescriptions(schema: JsonSchema): [reference: string, description: string][] {
  if (!isJsonObject(schema)) return [];
  return DEFINITIONS.flatMap((key) => referenceDescriptions(key, subschemas(schema[key])));
}

const DEFINITIONS = ["$defs", "definitions"] as const;

/** The schemas under `$defs` or `definitions`, by name. */
export function localDefinitions(schema: JsonSchema): [string, JsonSchema][] {
  if (!isJsonObject(schema)) return [];
  return DEFINITIONS.flatMap((key) => subschemas(schema[key]));
}
