import { type JsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import type { SchemaPath } from "../json-schema.js";
import { itemSchemasOf, prefixLength } from "../keywords/item-schemas.js";
import { propertySchemas, type Places } from "./places.js";
import type { ValueRequest } from "./value-request.js";

/** A valid value with the way in which it was made. */
export interface Base {
  readonly value: JsonValue;
  readonly request: ValueRequest;
}

/** Where in a valid value a subschema speaks. */
export interface PlacedSite {
  readonly base: Base;
  readonly path: SchemaPath;
  /** All schemas that speak there. */
  readonly schemas: readonly JsonObject[];
  /** The smallest valid value that has something there, once it was asked for. */
  smallest?: { readonly value: JsonValue | undefined };
}

const MAXIMUM_SITES = 3;

/** Knows for each subschema where in valid values it speaks. */
export class Sites {
  readonly #places: Places;
  readonly #root: JsonSchema;
  /** Those that were not looked at yet: for most subschemas, the first few do. */
  readonly #bases: Base[];
  readonly #sites = new Map<JsonObject, PlacedSite[]>();

  constructor(root: JsonSchema, bases: readonly Base[], places: Places) {
    this.#root = root;
    this.#bases = [...bases];
    this.#places = places;
  }

  /** One of the sites of a subschema, by its number; undefined where there are no more worth trying. */
  at(schema: JsonObject, index: number): PlacedSite | undefined {
    while (index < MAXIMUM_SITES) {
      const site = this.#sites.get(schema)?.[index];
      if (site !== undefined) return site;
      const base = this.#bases.shift();
      if (base === undefined) return undefined;
      this.#visit([this.#root], base.value, base, []);
    }
    return undefined;
  }

  #visit(schemas: readonly JsonSchema[], value: JsonValue, base: Base, path: SchemaPath): void {
    const inForce = this.#places.inForce(schemas, base.request.alternative) ?? [];
    this.#note({ base, path, schemas: inForce });
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      const items = value.slice(0, prefixLength(inForce) + 1);
      for (const [index, item] of items.entries()) {
        this.#visit(itemSchemasOf(inForce, index), item, base, [...path, index]);
      }
      return;
    }
    for (const name of Object.keys(value)) {
      this.#visit(propertySchemas(inForce, name), value[name] ?? null, base, [...path, name]);
    }
  }

  #note(site: PlacedSite): void {
    for (const schema of site.schemas) {
      const sites = this.#sites.get(schema);
      if (sites === undefined) this.#sites.set(schema, [site]);
      else if (sites.length < MAXIMUM_SITES) sites.push(site);
    }
  }
}
