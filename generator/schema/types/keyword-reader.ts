import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema, type Dialect } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";

/** Reads a schema's keywords in a dialect: one that the dialect ignores, or of another shape, reads as absent. */
export class KeywordReader {
  readonly #schema: JsonObject;
  readonly #dialect: Dialect;
  readonly #ignoresSiblings: boolean;

  constructor(schema: JsonObject, dialect: Dialect) {
    this.#schema = schema;
    this.#dialect = dialect;
    this.#ignoresSiblings = dialect === "draft-07" && typeof schema["$ref"] === "string";
  }

  value(name: string): JsonValue | undefined {
    const value = this.#schema[name];
    if (value === undefined || (this.#ignoresSiblings && name !== "$ref")) return undefined;
    return KEYWORDS.get(name)?.dialects.includes(this.#dialect) ? value : undefined;
  }

  count(name: string): number | undefined {
    const value = this.value(name);
    return typeof value === "number" ? value : undefined;
  }

  string(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === "string" ? value : undefined;
  }

  strings(name: string): readonly string[] {
    return this.#list(name).filter((item) => typeof item === "string");
  }

  schema(name: string): JsonSchema | undefined {
    const value = this.value(name);
    return isJsonSchema(value) ? value : undefined;
  }

  schemas(name: string): readonly JsonSchema[] {
    return this.#list(name).filter(isJsonSchema);
  }

  schemaMap(name: string): ReadonlyMap<string, JsonSchema> {
    const value = this.value(name);
    const map = new Map<string, JsonSchema>();
    if (!isJsonObject(value)) return map;
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (isJsonSchema(item)) map.set(key, item);
    }
    return map;
  }

  #list(name: string): readonly JsonValue[] {
    const value = this.value(name);
    return Array.isArray(value) ? value : NONE;
  }
}

const NONE: readonly JsonValue[] = [];
