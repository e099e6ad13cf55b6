import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema, ownValue } from "../../schema/json-schema.js";
import { stepOf } from "../../schema/keywords/index.js";
import { resolveReference, type SharedSchemas } from "../../schema/schema-reference.js";

/** A schema, and what its references are relative to. */
export interface Sampled {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly shared: SharedSchemas;
}

/** The most references and levels of values that are followed. */
const DEEPEST = 6;
const MOST_LISTED = 4;

/**
 * Makes a few simple values that a schema probably accepts. Not all keywords are considered: the caller
 * must check the values against the schema.
 */
export function sampleValues(sampled: Sampled, depth = 0): JsonValue[] {
  const { schema, root, shared } = sampled;
  if (depth > DEEPEST || !isJsonObject(schema)) return [];
  const listed = listedValues(schema);
  if (listed.length > 0) return listed;
  const reference = ownValue(schema, "$ref");
  const target =
    typeof reference === "string" ? resolveReference(root, reference, shared) : undefined;
  const referred =
    target === undefined
      ? []
      : sampleValues({ schema: target.schema, root: target.root, shared }, depth + 1);
  const types = [ownValue(schema, "type") ?? impliedType(schema)].flat();
  return [...referred, ...types.flatMap((type) => samplesOfType(type, schema, sampled, depth))];
}

function listedValues(schema: JsonObject): JsonValue[] {
  const constant = ownValue(schema, "const");
  if (constant !== undefined) return [constant];
  const values = ownValue(schema, "enum");
  return Array.isArray(values) ? values.slice(0, MOST_LISTED) : [];
}

function impliedType(schema: JsonObject): JsonValue {
  return ["properties", "required"].some((keyword) => Object.hasOwn(schema, keyword))
    ? "object"
    : null;
}

function samplesOfType(
  type: JsonValue,
  schema: JsonObject,
  sampled: Sampled,
  depth: number,
): JsonValue[] {
  switch (type) {
    case "null":
      return [null];
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return numbers(schema, type);
    case "string":
      return texts(schema);
    case "array":
      return [lists(schema, sampled, depth)];
    case "object":
      return objects(schema, sampled, depth);
    default:
      return [];
  }
}

function numberUnder(schema: JsonObject, keyword: string): number | undefined {
  const value = ownValue(schema, keyword);
  return typeof value === "number" ? value : undefined;
}

function numbers(schema: JsonObject, type: "integer" | "number"): number[] {
  const above = numberUnder(schema, "exclusiveMinimum");
  const lowest = numberUnder(schema, "minimum") ?? (above === undefined ? undefined : above + 1);
  const first = lowest ?? numberUnder(schema, "maximum") ?? (stepOf(schema) || 1);
  return type === "integer" ? [Math.ceil(first)] : [first, first + 0.5];
}

const OF_FORMAT: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  email: "ada@example.com",
  uri: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
};

const MOST_CHARACTERS = 1_000;

function texts(schema: JsonObject): string[] {
  const format = ownValue(schema, "format");
  const formed = typeof format === "string" && Object.hasOwn(OF_FORMAT, format);
  if (formed) return [OF_FORMAT[format] ?? ""];
  const least = Math.min(numberUnder(schema, "minLength") ?? 0, MOST_CHARACTERS);
  return ["text".padEnd(least, "t"), "t".repeat(Math.max(1, least))];
}

const MOST_ITEMS = 4;

function lists(schema: JsonObject, sampled: Sampled, depth: number): JsonValue[] {
  const items = ownValue(schema, "items");
  const length = Math.min(numberUnder(schema, "minItems") ?? 1, MOST_ITEMS);
  const [item] = isJsonSchema(items) ? sampleValues({ ...sampled, schema: items }, depth + 1) : [];
  return item === undefined ? [] : Array.from({ length: Math.max(1, length) }, () => item);
}

/** One object with the required properties, and one with all described properties. */
function objects(schema: JsonObject, sampled: Sampled, depth: number): JsonObject[] {
  const described = ownValue(schema, "properties");
  const properties = isJsonObject(described) ? described : {};
  const required = ownValue(schema, "required");
  const requiredNames = Array.isArray(required) ? required.map(String) : [];
  const withNames = (names: readonly string[]): JsonObject =>
    Object.fromEntries(
      names.flatMap((name) => {
        const property = Object.hasOwn(properties, name) ? properties[name] : true;
        const inside = isJsonSchema(property) ? { ...sampled, schema: property } : sampled;
        const [value] = property === true ? ["text"] : sampleValues(inside, depth + 1);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const allNames = new Set([...requiredNames, ...Object.keys(properties)]);
  return [withNames(requiredNames), withNames([...allNames])];
}
