import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { dialectOf, ownValue } from "../../schema/json-schema.js";
import { itemSchemas } from "../../schema/keywords/item-schemas.js";
import { resolveReference, type SharedSchemas } from "../../schema/schema-reference.js";

/** The size of a value, in the units of `limits`. */
export interface ValueSize {
  /** Levels inside it. */
  readonly depth: number;
  /** Items and members, all levels together. */
  readonly elements: number;
  /** Bytes of its JSON. */
  readonly bytes: number;
}

export type SizeName = keyof ValueSize;

/** The size of the smallest value, such as `1`. */
const SMALLEST: ValueSize = { depth: 0, elements: 0, bytes: 1 };

/** The most schemas and levels that are read for one size. Beyond them, the smallest size is assumed. */
const MOST_READINGS = 5_000;
const DEEPEST = 100;

/** The size of a value of the manifest. */
export function sizeOf(value: JsonValue): ValueSize {
  let [depth, elements] = [0, 0];
  let level = [value];
  for (;;) {
    level = level.flatMap((item) => (typeof item === "object" && item ? Object.values(item) : []));
    if (level.length === 0) break;
    depth += 1;
    elements += level.length;
  }
  return { depth, elements, bytes: byteLength(JSON.stringify(value)) };
}

/**
 * A lower bound for the size of the values that fit a schema. It reads simple keywords only, so that the
 * smallest value may be larger. The schema may have errors.
 */
export function leastSize(schema: JsonObject, shared: SharedSchemas): ValueSize {
  return new LeastSize(shared).of(schema, schema, 0);
}

class LeastSize {
  readonly #shared: SharedSchemas;
  #readings = 0;

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** @param root the schema that the references of `schema` are relative to */
  of(schema: JsonValue | undefined, root: JsonSchema, level: number): ValueSize {
    this.#readings += 1;
    if (!isJsonObject(schema) || level > DEEPEST || this.#readings > MOST_READINGS) return SMALLEST;
    const reference = ownValue(schema, "$ref");
    const referred = typeof reference === "string" ? [this.#ofTarget(reference, root, level)] : [];
    if (referred.length > 0 && dialectOf(root) === "draft-07") return largest(referred);
    const all = listUnder(schema, "allOf").map((branch) => this.of(branch, root, level + 1));
    const unions = ["anyOf", "oneOf"].flatMap((keyword) => {
      const sizes = listUnder(schema, keyword).map((branch) => this.of(branch, root, level + 1));
      return sizes.length === 0 ? [] : [smallest(sizes)];
    });
    const values = listedValues(schema);
    const ofKeywords = values ? smallest(values.map(sizeOf)) : this.#ofType(schema, root, level);
    return largest([ofKeywords, ...referred, ...all, ...unions]);
  }

  #ofTarget(reference: string, root: JsonSchema, level: number): ValueSize {
    const target = resolveReference(root, reference, this.#shared);
    return target === undefined ? SMALLEST : this.of(target.schema, target.root, level + 1);
  }

  #ofType(schema: JsonObject, root: JsonSchema, level: number): ValueSize {
    switch (ownValue(schema, "type")) {
      case "object":
        return this.#ofObject(schema, root, level);
      case "array":
        return this.#ofArray(schema, root, level);
      case "string":
        return { ...SMALLEST, bytes: 2 + countUnder(schema, "minLength") };
      default:
        return SMALLEST;
    }
  }

  #ofObject(schema: JsonObject, root: JsonSchema, level: number): ValueSize {
    const names = listUnder(schema, "required").filter((name) => typeof name === "string");
    const properties = ownValue(schema, "properties");
    const members = [...new Set(names)].map((name) => {
      const member = isJsonObject(properties) ? ownValue(properties, name) : undefined;
      const { bytes, ...counts } = this.of(member, root, level + 1);
      return { ...counts, bytes: bytes + byteLength(JSON.stringify(name)) + 1 };
    });
    return around(members, countUnder(schema, "minProperties"));
  }

  #ofArray(schema: JsonObject, root: JsonSchema, level: number): ValueSize {
    const least = countUnder(schema, "minItems");
    const items = itemSchemas((keyword) => ownValue(schema, keyword));
    const places = items.first.slice(0, least).map((item) => this.of(item, root, level + 1));
    const others = Math.max(0, least - places.length);
    if (others === 0) return around(places, least);
    const rest = this.of(items.rest, root, level + 1);
    const { depth, elements, bytes } = around([...places, rest], least);
    const more = others - 1;
    return {
      depth,
      elements: elements + more * rest.elements,
      bytes: bytes + more * Math.max(0, rest.bytes - SMALLEST.bytes),
    };
  }
}

/** The size of a list or an object with at least `least` members, of which the sizes of some are known. */
function around(members: readonly ValueSize[], least: number): ValueSize {
  const count = Math.max(members.length, least);
  const unknown = count - members.length;
  const sum = (name: SizeName): number =>
    members.reduce((total, member) => total + member[name], 0);
  return {
    depth: count === 0 ? 0 : 1 + members.reduce((most, { depth }) => Math.max(most, depth), 0),
    elements: count + sum("elements"),
    bytes: 2 + sum("bytes") + unknown * SMALLEST.bytes + Math.max(0, count - 1),
  };
}

const largest = (sizes: readonly ValueSize[]): ValueSize => combined(sizes, Math.max);
const smallest = (sizes: readonly ValueSize[]): ValueSize => combined(sizes, Math.min);

/** Combines sizes pair by pair: the choices of a long `enum` are too many for the arguments of one call. */
function combined(
  sizes: readonly ValueSize[],
  choose: (left: number, right: number) => number,
): ValueSize {
  return sizes.reduce((left, right) => ({
    depth: choose(left.depth, right.depth),
    elements: choose(left.elements, right.elements),
    bytes: choose(left.bytes, right.bytes),
  }));
}

function listedValues(schema: JsonObject): readonly JsonValue[] | undefined {
  const constant = ownValue(schema, "const");
  if (constant !== undefined) return [constant];
  const choices = listUnder(schema, "enum");
  return choices.length > 0 ? choices : undefined;
}

function listUnder(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const list = ownValue(schema, keyword);
  return Array.isArray(list) ? list : [];
}

function countUnder(schema: JsonObject, keyword: string): number {
  const count = ownValue(schema, keyword);
  return typeof count === "number" && count > 0 ? count : 0;
}

const byteLength = (text: string): number => Buffer.byteLength(text);
