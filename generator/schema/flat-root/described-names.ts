import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { namesIn, schemaEntries, schemasIn } from "../keyword-values.js";
import { resolveReference, type SharedSchemas } from "../schema-reference.js";

/** True for the names of properties of which something is said. */
export type NameTest = (name: string) => boolean;

/** Keywords whose schema, or schemas, hold for the same object. */
const SCHEMA_LISTS = ["allOf", "anyOf", "oneOf"];
const SCHEMAS = ["if", "then", "else"];
const SCHEMA_MAPS = ["dependentSchemas", "dependencies"];
const REFERENCES = ["$ref", "$dynamicRef"];

/** Keywords that say something of properties without their names. */
const RULES_WITHOUT_NAMES = ["patternProperties", "additionalProperties", "unevaluatedProperties"];

/** Finds the properties of which schemas say anything, also within their alternatives and conditions. */
export class DescribedNames {
  readonly #shared: SharedSchemas;
  readonly #describesOthers: (rule: JsonValue | undefined) => boolean;
  readonly #found = new Map<JsonSchema, Set<string>>();

  /** @param describesOthers true for the values of keywords like `additionalProperties` that say something of others */
  constructor(
    shared: SharedSchemas,
    describesOthers: (rule: JsonValue | undefined) => boolean = isJsonObject,
  ) {
    this.#shared = shared;
    this.#describesOthers = describesOthers;
  }

  /** True for the properties that a schema names. If it has rules for others, too, these are all properties. */
  test(schema: JsonSchema, root: JsonSchema): NameTest {
    const names = this.#namesIn(schema, root);
    return (name) => names.has(ALL) || names.has(name);
  }

  #namesIn(schema: JsonSchema, root: JsonSchema): Set<string> {
    const cached = this.#found.get(schema);
    if (cached !== undefined) return cached;
    const names = new Set<string>();
    if (!isJsonObject(schema)) return names;
    // A schema that refers to itself adds nothing to its own names.
    this.#found.set(schema, names);
    for (const [name] of schemaEntries(schema["properties"])) names.add(name);
    for (const name of namesIn(schema["required"])) names.add(name);
    if (RULES_WITHOUT_NAMES.some((keyword) => this.#describesOthers(schema[keyword])))
      names.add(ALL);
    for (const [part, partRoot] of this.#partsOf(schema, root)) {
      for (const name of this.#namesIn(part, partRoot)) names.add(name);
    }
    return names;
  }

  /** The schemas that hold for the same object, each with the root of its references. */
  #partsOf(schema: JsonObject, root: JsonSchema): (readonly [JsonSchema, JsonSchema])[] {
    const inPlace = [
      ...SCHEMA_LISTS.flatMap((keyword) => schemasIn(schema[keyword])),
      ...SCHEMAS.flatMap((keyword) => schemasIn([schema[keyword] ?? null])),
      ...SCHEMA_MAPS.flatMap((keyword) => schemaEntries(schema[keyword]).map(([, part]) => part)),
    ];
    const targets = REFERENCES.flatMap((keyword) => {
      const reference = schema[keyword];
      const target =
        typeof reference === "string" ? resolveReference(root, reference, this.#shared) : undefined;
      return target === undefined ? [] : [[target.schema, target.root] as const];
    });
    return [...inPlace.map((part) => [part, root] as const), ...targets];
  }
}

/** Stands for all names. No property of a schema has it, since it is no valid Unicode. */
const ALL = "\ud800";
