import { LIMITS } from "../1-load/limits.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  followed,
  lastName,
  NotImportable,
  pointerTo,
  pathOfReference,
  valueAtPath,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import { BoundedSchemas } from "./bounded-schemas.js";
import { schemaFrom } from "./dialect.js";
import type { Direction, Reading } from "./schema-reading.js";

/** Levels that a schema may have: tools have some around it. */
const MOST_LEVELS = LIMITS.depth - 10;

interface SharedSchema {
  readonly direction: Direction;
  readonly name: string;
  /** False while it is being read, and where it could not be. */
  schema: JsonSchema | undefined;
}

/**
 * The schemas that operations refer to. A schema of the document has two forms where requests and answers
 * differ (`readOnly`, for instance); where they do not, they become one.
 */
export class SharedSchemas {
  readonly #document: ApiDocument;
  readonly #byKey = new Map<string, SharedSchema>();
  readonly #byName = new Map<string, SharedSchema>();
  readonly #names = new Set<string>();
  readonly #bounded = new BoundedSchemas(
    (reference) => this.#byName.get(reference.slice(PREFIX.length))?.schema,
    PREFIX,
  );
  /** Parts of schemas that are not carried over, by their pointers. */
  readonly leftOut = new Map<string, { readonly reason: string; readonly path: DocumentPath }>();

  /** @param taken names that other schemas of the manifest have */
  constructor(document: ApiDocument, taken: readonly string[] = []) {
    this.#document = document;
    for (const name of taken) this.#names.add(name.toLowerCase());
  }

  /** A schema of the document as the manifest has it. */
  convert(at: Located, direction: Direction): JsonSchema {
    const schema = schemaFrom(at, this.#reading(direction));
    if (JSON.stringify(schema).includes('"__proto__":')) {
      throw new NotImportable("names a property __proto__, which no manifest may", at.path);
    }
    if (levelsOf(schema) > MOST_LEVELS)
      throw new NotImportable(`has a schema of more than ${MOST_LEVELS} levels`, at.path);
    return schema;
  }

  /**
   * The same schema, or one that fits into a manifest. What is not described then is said.
   *
   * @param schema what `convert` made
   * @param path where it stands in the document
   * @throws {NotImportable} where it is too large even without its largest parts
   */
  bounded(schema: JsonSchema, path: DocumentPath): JsonSchema {
    const smaller = this.#bounded.bounded(schema);
    if (smaller === undefined) throw new NotImportable("has a schema that is too large", path);
    if (smaller !== schema) {
      const reason = "the largest parts of the schema are not described, since it is too large";
      this.leftOut.set(pointerTo(path), { reason, path });
    }
    return smaller;
  }

  /** The schema that a reference leads to, references followed. */
  follow(at: Located): Located {
    return followed(this.#document, at);
  }

  #reading(direction: Direction): Reading {
    return {
      direction,
      mayStandBesideReferences: this.#document.version === "3.1",
      refer: (reference, from) => this.#refer(reference, from, direction),
      leave: (reason, path) => this.leftOut.set(pointerTo(path), { reason, path }),
      follow: (schema) => this.follow(schema),
    };
  }

  #refer(reference: string, from: DocumentPath, direction: Direction): JsonObject {
    const path = pathOfReference(reference, from);
    // A chain that never ends, or leads nowhere, is found here.
    followed(this.#document, { value: { $ref: reference }, path: from });
    const key = `${direction} ${pointerTo(path)}`;
    const shared = this.#byKey.get(key) ?? this.#add(key, path, direction);
    return { $ref: `#/schemas/${shared.name}` };
  }

  #add(key: string, path: DocumentPath, direction: Direction): SharedSchema {
    const shared: SharedSchema = {
      direction,
      name: this.#freeName(path, direction),
      schema: undefined,
    };
    this.#byKey.set(key, shared);
    this.#byName.set(shared.name, shared);
    try {
      const value = valueAtPath(this.#document.value, path) ?? null;
      shared.schema = this.convert({ value, path }, direction);
    } catch (error) {
      // What refers to it fails each time.
      this.#byKey.delete(key);
      throw error;
    }
    return shared;
  }

  #freeName(path: DocumentPath, direction: Direction): string {
    const letters = lastName(path)
      .replace(/[^A-Za-z0-9_.-]+/g, "_")
      .slice(0, 100);
    const start = /^[A-Za-z]/.test(letters) ? letters : `Schema_${letters}`;
    const base = direction === "request" ? `${start}Input` : start;
    let name = base;
    for (let count = 2; this.#names.has(name.toLowerCase()); count += 1) name = `${base}${count}`;
    this.#names.add(name.toLowerCase());
    return name;
  }

  /**
   * The schemas that are used, by name, and what replaces the names that are not needed.
   *
   * @param used schemas in which references stand
   */
  collected(used: readonly JsonSchema[]): {
    schemas: [string, JsonSchema][];
    renamed: Map<string, string>;
  } {
    const renamed = this.#equalForms();
    const byName = new Map([...this.#byKey.values()].map((shared) => [shared.name, shared.schema]));
    const found = new Map<string, JsonSchema>();
    const open = used.flatMap((schema) => namesIn(schema));
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const kept = renamed.get(name) ?? name;
      const schema = byName.get(kept);
      if (schema === undefined || found.has(kept)) continue;
      found.set(kept, withNames(schema, renamed));
      open.push(...namesIn(schema));
    }
    const schemas = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
    return { schemas, renamed };
  }

  /** Requests' forms that say the same as the answers', all that they refer to included. */
  #equalForms(): Map<string, string> {
    const renamed = new Map<string, string>();
    for (const [key, { name, direction }] of this.#byKey) {
      const other = this.#byKey.get(key.replace(/^request /, "response "));
      if (direction === "request" && other !== undefined) renamed.set(name, other.name);
    }
    const schemaOf = new Map(
      [...this.#byKey.values()].map((shared) => [shared.name, shared.schema]),
    );
    const differs = ([name, other]: [string, string]): boolean =>
      JSON.stringify(withNames(schemaOf.get(name) ?? true, renamed)) !==
      JSON.stringify(withNames(schemaOf.get(other) ?? true, renamed));
    for (
      let wrong = [...renamed].filter(differs);
      wrong.length > 0;
      wrong = [...renamed].filter(differs)
    ) {
      for (const [name] of wrong) renamed.delete(name);
    }
    return renamed;
  }
}

const PREFIX = "#/schemas/";

function namesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isJsonObject(value)) return [];
  const reference = ownValue(value, "$ref");
  const own =
    typeof reference === "string" && reference.startsWith(PREFIX)
      ? [reference.slice(PREFIX.length)]
      : [];
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

/** Levels of lists and mappings. */
function levelsOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return (
    1 + Math.max(0, ...Object.values(value as object).map((item: JsonValue) => levelsOf(item)))
  );
}

/** The same with other names in its references. */
export function withNames<Value extends JsonValue>(
  value: Value,
  renamed: ReadonlyMap<string, string>,
): Value {
  if (Array.isArray(value)) return value.map((item) => withNames(item, renamed)) as Value;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as JsonObject).map(([key, member]): [string, JsonValue] => {
    if (key !== "$ref" || typeof member !== "string") return [key, withNames(member, renamed)];
    const name = member.slice(PREFIX.length);
    return [key, `${PREFIX}${renamed.get(name) ?? name}`];
  });
  return Object.fromEntries(entries) as Value;
}
