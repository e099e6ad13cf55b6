import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { isJsonSchema, ownValue } from "../schema/json-schema.js";
import { resolveReference, type SharedSchemas } from "../schema/schema-reference.js";

/** A schema that describes a value, with the root to which its references are relative. */
export interface Described {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** The keywords whose schemas describe the same value, or may do so. */
const SAME_VALUE = ["allOf", "anyOf", "oneOf", "if", "then", "else"];
/** The same for those with schemas by the names of members. */
const SAME_VALUE_BY_NAME = ["dependentSchemas", "dependencies"];

/** Finds all schemas that may describe a value: it does not ask which of several alternatives does. */
export class Applied {
  readonly #shared: SharedSchemas;
  readonly #found = new Map<JsonSchema, Described>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** These schemas with those that their references and alternatives lead to, each once. */
  of(described: readonly Described[]): readonly Described[] {
    for (const one of described) this.#add(one);
    return [...this.#found.values()];
  }

  #add(described: Described): void {
    const { schema, root } = described;
    if (!isJsonObject(schema) || this.#found.has(schema)) return;
    this.#found.set(schema, described);
    const reference = schema["$ref"];
    const target =
      typeof reference === "string" ? resolveReference(root, reference, this.#shared) : undefined;
    if (target !== undefined) this.#add(target);
    const inner = SAME_VALUE.flatMap((keyword) => ownValue(schema, keyword) ?? []);
    const byName = SAME_VALUE_BY_NAME.flatMap((keyword) => membersOf(schema, keyword));
    for (const one of [...inner, ...byName.map(([, value]) => value)]) {
      if (isJsonObject(one)) this.#add({ schema: one, root });
    }
  }
}

/** The schemas that may describe a member of a value. */
export function memberSchemas(described: readonly Described[], name: string): Described[] {
  return described.flatMap(({ schema, root }) => {
    const holder = isJsonObject(schema) ? schema : {};
    const own = ownValue(mappingIn(holder, "properties"), name);
    const ofPatterns = membersOf(holder, "patternProperties").flatMap(([pattern, value]) =>
      matches(pattern, name) ? [value] : [],
    );
    const exact = own === undefined ? ofPatterns : [own, ...ofPatterns];
    const others = ["additionalProperties", "unevaluatedProperties"].map((keyword) =>
      ownValue(holder, keyword),
    );
    return schemasOf(exact.length > 0 ? exact : others, root);
  });
}

/** The schemas that may describe an item of a value. */
export function itemSchemas(described: readonly Described[], index: number): Described[] {
  return described.flatMap(({ schema, root }) => {
    const holder = isJsonObject(schema) ? schema : {};
    const { items = null, prefixItems = null } = holder;
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const others = ["additionalItems", "unevaluatedItems"].map((keyword) =>
      ownValue(holder, keyword),
    );
    const exact = first[index];
    const contained = ownValue(holder, "contains");
    return schemasOf([...(exact === undefined ? [items, ...others] : [exact]), contained], root);
  });
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return false;
  }
}

function mappingIn(holder: JsonObject, keyword: string): JsonObject {
  const value = ownValue(holder, keyword) ?? null;
  return isJsonObject(value) ? value : {};
}

function membersOf(holder: JsonObject, keyword: string): [string, JsonValue][] {
  return Object.entries(mappingIn(holder, keyword));
}

function schemasOf(values: readonly (JsonValue | undefined)[], root: JsonSchema): Described[] {
  return values.flatMap((schema) => (isJsonSchema(schema) ? [{ schema, root }] : []));
}
