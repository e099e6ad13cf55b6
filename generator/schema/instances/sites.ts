import { type JsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import type { SchemaPath } from "../json-schema.js";
import { itemSchemasOf, prefixLength } from "../keywords/item-schemas.js";
import { propertySchemas, type SchemaResolver } from "./schema-resolver.js";
import type { ValueRequest } from "./value-request.js";

/** A valid instance, and the request for which it was made. */
export interface BaseValue {
  readonly value: JsonValue;
  readonly request: ValueRequest;
}

/** The path in a valid instance of a value to which a subschema applies. */
export interface SchemaSite {
  readonly base: BaseValue;
  readonly path: SchemaPath;
  /** All schemas that apply to the value. */
  readonly schemas: readonly JsonObject[];
  /** Cached: the smallest valid instance that has a value at the path. */
  smallest?: { readonly value: JsonValue | undefined };
}

const MAXIMUM_SITES = 3;

/** Finds for each subschema the values in valid instances to which it applies. */
export class Sites {
  readonly #resolver: SchemaResolver;
  readonly #root: JsonSchema;
  /** Instances that were not searched yet; most subschemas occur in the first few. */
  readonly #remainingBases: BaseValue[];
  readonly #sites = new Map<JsonObject, SchemaSite[]>();

  constructor(root: JsonSchema, bases: readonly BaseValue[], resolver: SchemaResolver) {
    this.#root = root;
    this.#remainingBases = [...bases];
    this.#resolver = resolver;
  }

  /** The site of a subschema with an index; undefined if there is none or the limit is reached. */
  at(schema: JsonObject, index: number): SchemaSite | undefined {
    while (index < MAXIMUM_SITES) {
      const site = this.#sites.get(schema)?.[index];
      if (site !== undefined) return site;
      const base = this.#remainingBases.shift();
      if (base === undefined) return undefined;
      this.#visit([this.#root], base.value, base, []);
    }
    return undefined;
  }

  /** @param path of the value. It grows and shrinks with the visit. */
  #visit(
    schemas: readonly JsonSchema[],
    value: JsonValue,
    base: BaseValue,
    path: (string | number)[],
  ): void {
    const applicable = this.#resolver.applicableSchemas(schemas, base.request.alternative) ?? [];
    this.#note(applicable, base, path);
    if (typeof value !== "object" || value === null) return;
    const visitAt = (step: string | number, inner: readonly JsonSchema[], member: JsonValue) => {
      path.push(step);
      this.#visit(inner, member, base, path);
      path.pop();
    };
    if (Array.isArray(value)) {
      const items = value.slice(0, prefixLength(applicable) + 1);
      for (const [index, item] of items.entries()) {
        visitAt(index, itemSchemasOf(applicable, index), item);
      }
      return;
    }
    for (const name of Object.keys(value)) {
      visitAt(name, propertySchemas(applicable, name), value[name] ?? null);
    }
  }

  #note(schemas: readonly JsonObject[], base: BaseValue, path: SchemaPath): void {
    const isFull = (schema: JsonObject): boolean =>
      (this.#sites.get(schema)?.length ?? 0) >= MAXIMUM_SITES;
    if (schemas.every(isFull)) return;
    const site = { base, path: [...path], schemas };
    for (const schema of schemas) {
      const sites = this.#sites.get(schema);
      if (sites === undefined) this.#sites.set(schema, [site]);
      else if (sites.length < MAXIMUM_SITES) sites.push(site);
    }
  }
}
