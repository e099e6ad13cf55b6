import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue, TYPE_NAMES } from "../../schema/json-schema.js";
import { isKnownFormat } from "./check-annotations.js";
import { hasNarrowing } from "./check-contradictions.js";
import { MAX_PROPERTIES } from "./check-cost.js";
import { typeAskedBy } from "./check-other-types.js";
import { PlainKeywords } from "./plain-keywords.js";
import type { SchemaDocument } from "./schema-document.js";

/** What is larger is for the rules that say what is too much. */
const MOST_PARTS = 10_000;
const MOST_LEVELS = 100;

/**
 * Whether no rule would find anything in a tool's schema, seen in one walk: most schemas are made of a
 * few keywords and have nothing wrong. False wherever that is not certain, and for every rare keyword;
 * then the rules decide, one by one.
 */
export function isPlainlyFaultless({ root, role }: SchemaDocument): boolean {
  if (role === "input") return root["type"] === "object" && new PlainWalk(true).passes(root);
  return role === "output" && new PlainWalk(false).passes(root);
}

/** How a schema is reached from the root: defaults of arguments count where a property may be missing. */
type Reach = "root" | "optional" | "required" | "item" | "alternative";

const TYPES: ReadonlySet<unknown> = new Set(TYPE_NAMES);

class PlainWalk {
  /** Whether a model reads the schema, and defaults are filled in. */
  readonly #isInput: boolean;
  #parts = 0;

  constructor(isInput: boolean) {
    this.#isInput = isInput;
  }

  passes(schema: JsonValue | undefined, reach: Reach = "root", level = 0): boolean {
    this.#parts += 1;
    if (this.#parts > MOST_PARTS || level > MOST_LEVELS || !isJsonObject(schema)) return false;
    const { type } = schema;
    const own = type === "integer" ? "number" : type;
    for (const keyword of Object.keys(schema)) {
      const asked = typeof own === "string" ? typeAskedBy(keyword) : undefined;
      if (asked !== undefined && asked !== own) return false;
      if (!this.#takes(keyword, schema, reach, level)) return false;
    }
    return areBoundsApart(schema);
  }

  #takes(keyword: string, schema: JsonObject, reach: Reach, level: number): boolean {
    const value = schema[keyword];
    switch (keyword) {
      case "type":
        return TYPES.has(value) || (areNames(value) && value.every((name) => TYPES.has(name)));
      case "properties":
        return this.#takesProperties(value, schema, reach, level);
      case "required":
        return Array.isArray(value) && this.#takesRequired(value, schema);
      case "items":
        return this.passes(value, below(reach, "item"), level + 1);
      case "additionalProperties":
        return typeof value === "boolean" || this.passes(value, "alternative", level + 1);
      case "anyOf":
        return isFilled(value) && value.every((it) => this.passes(it, "alternative", level + 1));
      case "enum":
        return areNames(value) && mayBeText(schema) && !hasNarrowing(schema);
      case "format":
        return typeof value === "string" && isKnownFormat(value);
      case "default":
        return (
          (!this.#isInput || reach === "optional") && value !== undefined && fits(value, schema)
        );
      default:
        return isPlainKeyword(keyword, value);
    }
  }

  #takesProperties(
    map: JsonValue | undefined,
    { required }: JsonObject,
    reach: Reach,
    level: number,
  ): boolean {
    if (!isJsonObject(map)) return false;
    const names = Object.keys(map);
    if (names.length > MAX_PROPERTIES) return false;
    return names.every((name) => {
      const isRequired = Array.isArray(required) && required.includes(name);
      const further = below(reach, isRequired ? "required" : "optional");
      return this.passes(map[name], further, level + 1);
    });
  }

  /** Each is described, for whoever passes it. */
  #takesRequired(names: JsonValue[], { properties }: JsonObject): boolean {
    if (names.length > 0 && !areNames(names)) return false;
    return names.every((name) => {
      const property = isJsonObject(properties) ? ownValue(properties, String(name)) : undefined;
      if (!isJsonObject(property)) return false;
      const { description } = property;
      return !this.#isInput || (typeof description === "string" && description.trim() !== "");
    });
  }
}

/** In an alternative everything is one. */
function below(reach: Reach, further: Reach): Reach {
  return reach === "alternative" ? reach : further;
}

function isFilled(value: JsonValue | undefined): value is JsonValue[] {
  return Array.isArray(value) && value.length > 0;
}

/** Texts, at least one, and none of them twice. */
function areNames(value: JsonValue | undefined): value is string[] {
  if (!isFilled(value) || !value.every((item) => typeof item === "string")) return false;
  return value.length === 1 || new Set(value).size === value.length;
}

function mayBeText({ type }: JsonObject): boolean {
  return type === undefined || type === "string" || (isFilled(type) && type.includes("string"));
}

const keywords = new PlainKeywords();

/** Whether a single value meets a schema; lists, mappings and alternatives are read elsewhere. */
function fits(value: JsonValue, schema: JsonObject): boolean {
  if ((typeof value === "object" && value !== null) || "anyOf" in schema) return false;
  return Object.keys(schema).every((keyword) =>
    keywords.accepts(value, keyword, schema[keyword] ?? null, schema),
  );
}

/** Keywords without schemas, and their values. */
function isPlainKeyword(keyword: string, value: JsonValue | undefined): boolean {
  switch (keyword) {
    case "description":
    case "title":
      return typeof value === "string";
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return Number.isFinite(value);
    case "minLength":
    case "maxLength":
    case "minItems":
    case "maxItems":
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case "readOnly":
    case "writeOnly":
    case "deprecated":
      return typeof value === "boolean";
    default:
      return keyword.startsWith("x-") && keyword !== "x-mcp-header";
  }
}

/** Whether there are values between the bounds, which are known to be numbers. */
function areBoundsApart(schema: JsonObject): boolean {
  const { minLength, maxLength, minItems, maxItems, type } = schema;
  if (Number(minLength) > Number(maxLength) || Number(minItems) > Number(maxItems)) return false;
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const low = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity));
  const high = Math.min(Number(maximum ?? Infinity), Number(exclusiveMaximum ?? Infinity));
  if (low === -Infinity || high === Infinity) return true;
  const excluded = [exclusiveMinimum, exclusiveMaximum].filter((it) => it !== undefined).length;
  if (type !== "integer") return low < high || (low === high && excluded === 0);
  const bounds = [minimum, exclusiveMinimum, maximum, exclusiveMaximum];
  const areWhole = bounds.every((bound) => bound === undefined || Number.isSafeInteger(bound));
  return areWhole && high - low >= excluded;
}
