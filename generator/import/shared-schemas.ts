import { LIMITS } from "../1-load/limits.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  followedOrOpen,
  followReferences,
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
import { convertPart, convertSchema } from "./schema-conversion.js";
import { withoutAlternatives } from "./reference-cycles.js";
import type { Direction, SchemaContext } from "./schema-context.js";

/** The most levels of a schema. A manifest may have more, since a schema is inside of a tool. */
const MOST_LEVELS = LIMITS.depth - 10;

/** How much of a schema of the document a shared schema says: all, or all but its alternatives. */
type Extent = "whole" | "base";

interface SharedSchema {
  readonly direction: Direction;
  readonly name: string;
  /** Undefined while the schema is being converted, and if the conversion failed. */
  schema: JsonSchema | undefined;
}

/**
 * The schemas that operations refer to. A schema of the document is converted twice, for requests and for answers,
 * since they can differ, for instance with `readOnly`. If both conversions are equal, only one is used.
 */
export class SharedSchemas {
  readonly #document: ApiDocument;
  readonly #byKey = new Map<string, SharedSchema>();
  readonly #byName = new Map<string, SharedSchema>();
  readonly #usedNames = new Set<string>();
  readonly #bounded = new BoundedSchemas(
    (reference) => this.#byName.get(reference.slice(PREFIX.length))?.schema,
    PREFIX,
  );
  /** The parts of schemas that are left out, by their pointers. */
  readonly leftOut = new Map<string, { readonly reason: string; readonly path: DocumentPath }>();

  /** @param taken names of other schemas in the manifest */
  constructor(document: ApiDocument, taken: readonly string[] = []) {
    this.#document = document;
    for (const name of taken) this.#usedNames.add(name.toLowerCase());
  }

  /**
   * Converts a schema of the document.
   *
   * @throws {NotImportable} if the manifest cannot contain it
   */
  convert(at: Located, direction: Direction): JsonSchema {
    return this.#checked(convertSchema(at, this.#context(direction)), at);
  }

  /** Converts a schema that is a part of another one. If it cannot be described, it accepts everything. */
  convertPart(at: Located, direction: Direction): JsonSchema {
    return this.#checked(convertPart(at, this.#context(direction)), at);
  }

  /** @throws {NotImportable} if no manifest can contain the schema */
  #checked(schema: JsonSchema, at: Located): JsonSchema {
    if (JSON.stringify(schema).includes('"__proto__":')) {
      throw new NotImportable("names a property __proto__, which no manifest may", at.path);
    }
    if (levelsOf(schema) > MOST_LEVELS)
      throw new NotImportable(`has a schema of more than ${MOST_LEVELS} levels`, at.path);
    return schema;
  }

  /**
   * The schema itself if it is small enough for a manifest. If not, a copy without its largest parts, which is
   * reported.
   *
   * @param schema a result of `convert`
   * @param path the path of the schema in the document
   * @throws {NotImportable} if it is too large even without its largest parts
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

  /** Follows references to a schema of the document. The result says nothing where they lead nowhere. */
  follow(at: Located): Located {
    return followedOrOpen(this.#document, at);
  }

  #context(direction: Direction): SchemaContext {
    return {
      direction,
      allowsReferenceSiblings: this.#document.version === "3.1",
      refer: (reference, from) => this.#refer(reference, from, direction),
      referToBase: (path) => this.#referToBase(path, direction),
      omit: (reason, path) => this.leftOut.set(pointerTo(path), { reason, path }),
      valueAt: (path) => valueAtPath(this.#document.value, path),
      follow: (schema) => this.follow(schema),
    };
  }

  #refer(reference: string, from: DocumentPath, direction: Direction): JsonObject {
    const path = pathOfReference(reference, from);
    // Throws for a chain of references that never ends, or that refers to nothing.
    followReferences(this.#document, { value: { $ref: reference }, path: from });
    return this.#referTo(path, direction, "whole");
  }

  #referToBase(path: DocumentPath, direction: Direction): JsonObject {
    const reason =
      "its subtypes have this schema without its alternatives, which lead back to them";
    this.leftOut.set(pointerTo(path), { reason, path });
    return this.#referTo(path, direction, "base");
  }

  #referTo(path: DocumentPath, direction: Direction, extent: Extent): JsonObject {
    const key = `${direction} ${extent} ${pointerTo(path)}`;
    const shared = this.#byKey.get(key) ?? this.#add(key, path, direction, extent);
    return { $ref: `#/schemas/${shared.name}` };
  }

  #add(key: string, path: DocumentPath, direction: Direction, extent: Extent): SharedSchema {
    const name = `${lastName(path)}${extent === "base" ? "Base" : ""}`;
    const shared: SharedSchema = {
      direction,
      name: this.#freeName(name, direction),
      schema: undefined,
    };
    this.#byKey.set(key, shared);
    this.#byName.set(shared.name, shared);
    try {
      const whole = valueAtPath(this.#document.value, path) ?? null;
      const value = extent === "base" ? withoutAlternatives(whole) : whole;
      shared.schema = this.convert({ value, path }, direction);
    } catch (error) {
      // The conversion then fails again for every other schema that refers to this one.
      this.#byKey.delete(key);
      throw error;
    }
    return shared;
  }

  #freeName(text: string, direction: Direction): string {
    const letters = text.replace(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 100);
    const start = /^[A-Za-z]/.test(letters) ? letters : `Schema_${letters}`;
    const base = direction === "request" ? `${start}Input` : start;
    let name = base;
    for (let count = 2; this.#usedNames.has(name.toLowerCase()); count += 1)
      name = `${base}${count}`;
    this.#usedNames.add(name.toLowerCase());
    return name;
  }

  /**
   * The shared schemas that some schemas refer to, directly or through other shared schemas.
   *
   * @param schemasWithReferences the schemas with the references
   * @returns the shared schemas, and for each name that is not needed the name that replaces it
   */
  schemasFor(schemasWithReferences: readonly JsonSchema[]): {
    schemas: [string, JsonSchema][];
    newNames: Map<string, string>;
  } {
    const newNames = this.#equalForms();
    const byName = new Map([...this.#byKey.values()].map((shared) => [shared.name, shared.schema]));
    const usedSchemas = new Map<string, JsonSchema>();
    const pending = schemasWithReferences.flatMap((schema) => namesIn(schema));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const name = newNames.get(next) ?? next;
      const schema = byName.get(name);
      if (schema === undefined || usedSchemas.has(name)) continue;
      usedSchemas.set(name, withNames(schema, newNames));
      pending.push(...namesIn(schema));
    }
    const schemas = [...usedSchemas].sort(([a], [b]) => (a < b ? -1 : 1));
    return { schemas, newNames };
  }

  /**
   * The names of schemas for requests that are equal to the same schemas for answers, including everything that they
   * refer to. The value is the name of the schema for answers.
   */
  #equalForms(): Map<string, string> {
    const newNames = new Map<string, string>();
    for (const [key, { name, direction }] of this.#byKey) {
      const other = this.#byKey.get(key.replace(/^request /, "response "));
      if (direction === "request" && other !== undefined) newNames.set(name, other.name);
    }
    const schemaOf = new Map(
      [...this.#byKey.values()].map((shared) => [shared.name, shared.schema]),
    );
    const differs = ([name, other]: [string, string]): boolean =>
      JSON.stringify(withNames(schemaOf.get(name) ?? true, newNames)) !==
      JSON.stringify(withNames(schemaOf.get(other) ?? true, newNames));
    for (
      let differentNames = [...newNames].filter(differs);
      differentNames.length > 0;
      differentNames = [...newNames].filter(differs)
    ) {
      for (const [name] of differentNames) newNames.delete(name);
    }
    return newNames;
  }
}

const PREFIX = "#/schemas/";

/** The names of shared schemas that a value refers to. */
function namesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isJsonObject(value)) return [];
  const reference = ownValue(value, "$ref");
  const names =
    typeof reference === "string" && reference.startsWith(PREFIX)
      ? [reference.slice(PREFIX.length)]
      : [];
  return [...names, ...Object.values(value).flatMap(namesIn)];
}

/** The number of levels of lists and objects in a value. */
function levelsOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return (
    1 + Math.max(0, ...Object.values(value as object).map((item: JsonValue) => levelsOf(item)))
  );
}

/** A copy of a value with other names of schemas in its references. */
export function withNames<Value extends JsonValue>(
  value: Value,
  newNames: ReadonlyMap<string, string>,
): Value {
  if (Array.isArray(value)) return value.map((item) => withNames(item, newNames)) as Value;
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value as JsonObject).map(([key, member]): [string, JsonValue] => {
    if (key !== "$ref" || typeof member !== "string") return [key, withNames(member, newNames)];
    const name = member.slice(PREFIX.length);
    return [key, `${PREFIX}${newNames.get(name) ?? name}`];
  });
  return Object.fromEntries(entries) as Value;
}
