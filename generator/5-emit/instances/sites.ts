import { type JsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import type { SchemaPath } from "../../schema/json-schema.js";
import type { Frame } from "./frame.js";
import { itemSchemas, prefixLength, propertySchemas, type Places } from "./places.js";
import { leavesMembersAlone, type PlainParts } from "./plain-parts.js";
import type { Wish } from "./wish.js";

/** A valid value with the way in which it was made. */
export interface Base {
  readonly value: JsonValue;
  readonly wish: Wish;
}

/** Where in a valid value a subschema speaks. */
export interface PlacedSite {
  readonly base: Base;
  readonly path: SchemaPath;
  /** Where the object or array is that has this place; undefined for the whole value. */
  readonly parent: PlacedSite | undefined;
  /** All schemas that speak there. */
  readonly schemas: readonly JsonObject[];
  /** Whether one plain subschema decides alone what may stand there. */
  readonly isDecidedAlone: boolean;
  /** The valid values around it, once they were asked for. */
  frames?: readonly Frame[];
}

const MAXIMUM_SITES = 3;

/** Knows for each subschema where in valid values it speaks. */
export class Sites {
  readonly #places: Places;
  readonly #plainParts: PlainParts;
  readonly #root: JsonSchema;
  /** Those that were not looked at yet: for most subschemas, the first few do. */
  readonly #bases: Base[];
  readonly #sites = new Map<JsonObject, PlacedSite[]>();

  constructor(root: JsonSchema, bases: readonly Base[], places: Places, plainParts: PlainParts) {
    this.#root = root;
    this.#bases = [...bases];
    this.#places = places;
    this.#plainParts = plainParts;
  }

  /** One of the sites of a subschema, by its number; undefined where there are no more worth trying. */
  at(schema: JsonObject, index: number): PlacedSite | undefined {
    while (index < MAXIMUM_SITES) {
      const site = this.#sites.get(schema)?.[index];
      if (site !== undefined) return site;
      const base = this.#bases.shift();
      if (base === undefined) return undefined;
      this.#visit([this.#root], base.value, { base, path: [], parent: undefined }, true);
    }
    return undefined;
  }

  /**
   * @param isOpen whether what is valid here is valid in the whole, if only one schema speaks here. Items that must
   *   differ do not change that for what is refused: it equals no item that is accepted.
   */
  #visit(
    schemas: readonly JsonSchema[],
    value: JsonValue,
    { base, path, parent }: Pick<PlacedSite, "base" | "path" | "parent">,
    isOpen: boolean,
  ): void {
    const inForce = this.#places.inForce(schemas, base.wish.alternative) ?? [];
    const [only] = inForce;
    const isAlone = isOpen && only !== undefined && inForce.length === 1;
    const isDecidedAlone = isAlone && this.#plainParts.heightOf(only) !== undefined;
    const site: PlacedSite = { base, path, parent, schemas: inForce, isDecidedAlone };
    this.#note(site);
    if (typeof value !== "object" || value === null) return;
    const isOpenWithin = isAlone && (isDecidedAlone || leavesMembersAlone(only));
    if (Array.isArray(value)) {
      const items = value.slice(0, prefixLength(inForce) + 1);
      for (const [index, item] of items.entries()) {
        const place = { base, path: [...path, index], parent: site };
        this.#visit(itemSchemas(inForce, index), item, place, isOpenWithin);
      }
      return;
    }
    for (const name of Object.keys(value)) {
      const place = { base, path: [...path, name], parent: site };
      this.#visit(propertySchemas(inForce, name), value[name] ?? null, place, isOpenWithin);
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
