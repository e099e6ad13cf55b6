import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { dialectOf, type Dialect, type SchemaPath } from "../json-schema.js";
import { keywordsWithin, walkSchema } from "../subschemas.js";
import { resolveReference, type ReferenceTarget } from "../schema-reference.js";
import type { SharedSchemaModel } from "../../model/server-model.js";
import { pascalCase } from "../../text/names.js";
import type { Defaults } from "../defaults/defaults.js";

/** A schema that is no part of another one, such as a tool's input or a shared schema. */
export interface SchemaScope {
  readonly root: JsonSchema;
  /** The prefix of the names of its types. */
  readonly typeName: string;
  /** The name of the root's own type. */
  readonly rootName: string;
  /** Whether it is one of the manifest's `schemas`. */
  readonly isShared: boolean;
  readonly dialect: Dialect;
  /** Its subschemas that are targets of references, with their paths; each becomes a named type. */
  readonly targets: ReadonlyMap<JsonObject, SchemaPath>;
}

/** A schema that has a type of its own in the generated code. */
export interface Definition {
  readonly name: string;
  readonly scope: SchemaScope;
  readonly schema: JsonSchema;
  /** Only for the type of values with defaults applied: the type without them, and the defaults. */
  readonly filled?: { readonly unfilled: Definition; readonly defaults: Defaults };
}

/** The manifest's shared schemas, by name. */
export type SharedSchemas = ReadonlyMap<string, SharedSchemaModel>;

/** The names of types in another module, by their schemas. */
export type OutsideTypes = ReadonlyMap<JsonSchema, string>;

/** Gives schemas their type names. One instance serves a module, so that its names are unique. */
export class Definitions {
  readonly #names: Set<string>;
  readonly #shared: SharedSchemas;
  readonly #outside: OutsideTypes;
  readonly #targets = new Map<JsonSchema, SchemaScope["targets"]>();
  readonly #sharedScopes = new Map<string, SchemaScope>();
  readonly #definitions = new Map<SchemaScope, Map<JsonSchema, Definition>>();
  readonly #variants = new Map<Definition, Map<string, Definition>>();

  /**
   * @param reserved names that are already used
   * @param outside types of shared schemas that are declared in another module
   */
  constructor(
    shared: SharedSchemas,
    reserved: Iterable<string>,
    outside: OutsideTypes = new Map(),
  ) {
    this.#shared = shared;
    this.#outside = outside;
    this.#names = new Set(reserved);
  }

  /** Whether a type is declared in another module. */
  isOutside({ scope, schema, filled }: Definition): boolean {
    return filled === undefined && scope.isShared && this.#outside.has(schema);
  }

  /** The schema with this name under the manifest's `schemas`, as written. */
  sharedSchema(name: string): JsonSchema | undefined {
    return this.#shared.get(name)?.schema;
  }

  /** The scope of a shared schema, the same for all references. */
  sharedScope(model: SharedSchemaModel): SchemaScope {
    const existing = this.#sharedScopes.get(model.name);
    if (existing !== undefined) return existing;
    const scope = this.#openScope(model.typeName, model.schema, model);
    this.#sharedScopes.set(model.name, scope);
    return scope;
  }

  /** A new scope of a schema whose type gets this name. */
  requestedScope(typeName: string, root: JsonSchema): SchemaScope {
    return this.#openScope(typeName, root);
  }

  /** A new scope of a schema for which `typeName` names the type of values with defaults applied. */
  scopeWithDefaults(typeName: string, root: JsonSchema): SchemaScope {
    const rootName = this.#claim(`${typeName}WithoutDefaults`);
    return { ...this.#openScope(typeName, root), rootName };
  }

  #openScope(typeName: string, root: JsonSchema, model?: SharedSchemaModel): SchemaScope {
    const targets = model === undefined ? this.#targetsIn(root) : this.#findTargets(root, model);
    const isShared = model !== undefined;
    return { root, typeName, rootName: typeName, isShared, dialect: dialectOf(root), targets };
  }

  #targetsIn(root: JsonSchema): SchemaScope["targets"] {
    const targets = this.#targets.get(root) ?? this.#findTargets(root);
    this.#targets.set(root, targets);
    return targets;
  }

  #findTargets(root: JsonSchema, model?: SharedSchemaModel): SchemaScope["targets"] {
    const targets = new Map<JsonObject, SchemaPath>();
    const keywords = isJsonObject(root) ? keywordsWithin(root) : undefined;
    if (!keywords?.has("$ref") && !keywords?.has("$dynamicRef")) return targets;
    for (const [, schema] of walkSchema(root)) {
      for (const target of this.#targetsOf(schema, root)) {
        const isInside = target.sharedName === model?.name || target.sharedName === undefined;
        if (isInside && isJsonObject(target.schema)) targets.set(target.schema, target.path);
      }
    }
    return targets;
  }

  #targetsOf(schema: JsonSchema, root: JsonSchema): ReferenceTarget[] {
    if (typeof schema === "boolean") return [];
    return [schema["$ref"], schema["$dynamicRef"]].flatMap((reference) => {
      const isText = typeof reference === "string";
      return (isText && this.#resolve(root, reference)) || [];
    });
  }

  #resolve(root: JsonSchema, reference: string): ReferenceTarget | undefined {
    return resolveReference(root, reference, (name) => this.sharedSchema(name));
  }

  /** The target of a reference in a scope: a boolean for a boolean schema, and `true` if there is no target. */
  referenced(scope: SchemaScope, reference: string): Definition | boolean {
    const target = this.#resolve(scope.root, reference);
    if (target === undefined) return true;
    if (typeof target.schema === "boolean") return target.schema;
    const model = target.sharedName === undefined ? undefined : this.#shared.get(target.sharedName);
    return this.define(model ? this.sharedScope(model) : scope, target.schema, target.path);
  }

  /** The definition of a scope's schema at `path`, the same for each call. */
  define(scope: SchemaScope, schema: JsonSchema, path: SchemaPath): Definition {
    const definitions = this.#definitions.get(scope) ?? new Map<JsonSchema, Definition>();
    this.#definitions.set(scope, definitions);
    const existing = definitions.get(schema);
    if (existing !== undefined) return existing;
    const definition = { name: this.#nameIn(scope, schema, path), scope, schema };
    definitions.set(schema, definition);
    return definition;
  }

  #nameIn(scope: SchemaScope, schema: JsonSchema, path: SchemaPath): string {
    if (path.length === 0) return scope.rootName;
    const outside = scope.isShared ? this.#outside.get(schema) : undefined;
    return outside ?? this.#claim(scope.typeName + nameOf(path));
  }

  /** The type of the same schema's values with defaults applied inside them. */
  withDefaults(unfilled: Definition, defaults: Defaults): Definition {
    const variants = this.#variants.get(unfilled) ?? new Map<string, Definition>();
    this.#variants.set(unfilled, variants);
    const key = JSON.stringify(defaults);
    const existing = variants.get(key);
    if (existing !== undefined) return existing;
    const name = this.#claim(`${unfilled.name}WithDefaults`);
    const variant = { ...unfilled, name, filled: { unfilled, defaults } };
    variants.set(key, variant);
    return variant;
  }

  /** Reserves a name, with a number appended if it is already used. */
  #claim(preferredName: string): string {
    let name = preferredName;
    for (let count = 2; this.#names.has(name); count++) name = `${preferredName}${count}`;
    this.#names.add(name);
    return name;
  }
}

/** Keywords that type names omit: `["$defs", "address"]` is called `Address`. */
const OMITTED_KEYWORDS: ReadonlySet<string | number> = new Set([
  "$defs",
  "definitions",
  "properties",
]);

function nameOf(path: SchemaPath): string {
  const namedSegments = path.filter(
    (segment, index) => index === path.length - 1 || !OMITTED_KEYWORDS.has(segment),
  );
  return namedSegments.map((segment) => pascalCase(String(segment))).join("");
}
