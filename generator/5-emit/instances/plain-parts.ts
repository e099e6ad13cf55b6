import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { isOrdinaryName, isPlainKeyword } from "../validators/plain-schema.js";
import { SILENT_KEYWORDS } from "../validators/prepare-schema.js";

/**
 * Tells which subschemas are plain, as they were written and with all that is within them: of each place in a value
 * that they describe, one schema speaks, and what it says depends on nothing around it. Most schemas are plain
 * throughout, and most others in most of their parts.
 */
export class PlainParts {
  readonly #heights = new Map<JsonObject, number | undefined>();

  /** How many levels of schemas there are within a plain one; undefined for one that is not plain. */
  heightOf(schema: JsonObject): number | undefined {
    const known = this.#heights.get(schema);
    if (known !== undefined || this.#heights.has(schema)) return known;
    const height = this.#measure(schema);
    this.#heights.set(schema, height);
    return height;
  }

  #measure(schema: JsonObject): number | undefined {
    let most = 0;
    for (const keyword of Object.keys(schema)) {
      const height = isSilent(keyword) ? 0 : this.#heightUnder(keyword, schema[keyword] ?? null);
      if (height === undefined) return undefined;
      most = Math.max(most, height);
    }
    return most;
  }

  /** Levels under a keyword: 0 where there are no schemas. */
  #heightUnder(keyword: string, value: JsonValue): number | undefined {
    switch (keyword) {
      case "properties":
        return isNamedMap(value) ? this.#heightAbove(value) : undefined;
      case "items":
        return this.#heightAbove({ items: value });
      case "additionalProperties":
        return value === false ? 0 : this.#heightAbove({ additionalProperties: value });
      default:
        return isPlainKeyword(keyword, value) ? 0 : undefined;
    }
  }

  #heightAbove(schemas: JsonObject): number | undefined {
    let most = 0;
    for (const name of Object.keys(schemas)) {
      const schema = schemas[name];
      const height = isJsonObject(schema) ? this.heightOf(schema) : schema === true ? 0 : undefined;
      if (height === undefined) return undefined;
      most = Math.max(most, height + 1);
    }
    return most;
  }
}

/**
 * Whether a schema allows a value with another member whenever that member's own schema allows it, as long as the
 * member differs from the others of an array that must differ.
 */
export function leavesMembersAlone(schema: JsonObject): boolean {
  for (const keyword of Object.keys(schema)) {
    if (!isSilent(keyword) && !leavesThemAlone(keyword, schema[keyword] ?? null)) return false;
  }
  return true;
}

function leavesThemAlone(keyword: string, value: JsonValue): boolean {
  switch (keyword) {
    case "properties":
      return isNamedMap(value);
    case "additionalProperties":
    case "items":
      return !Array.isArray(value);
    case "enum":
    case "const":
      return false;
    default:
      return isPlainKeyword(keyword, value);
  }
}

/** Whether nothing follows from a keyword, whatever the dialect. */
function isSilent(keyword: string): boolean {
  return SILENT_KEYWORDS.has(keyword) || !KEYWORDS.has(keyword);
}

function isNamedMap(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).every(isOrdinaryName);
}
