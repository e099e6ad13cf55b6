import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { dialectOf, ownValue } from "../../schema/json-schema.js";
import { itemSchemas } from "../../schema/keywords/item-schemas.js";
import { resolveReference, type SharedSchemas } from "../../schema/schema-reference.js";

/** How large a value is, in what `limits` counts. */
export interface ValueSize {
  /** Levels inside it. */
  readonly depth: number;
  /** Items and members, all levels together. */
  readonly elements: number;
  /** Bytes of its JSON. */
  readonly bytes: number;
}

export type SizeName = keyof ValueSize;

const NOTHING: ValueSize = { depth: 0, elements: 0, bytes: 1 };

/** Schemas that are looked at for one size, and levels: beyond them, it may be larger than is said. */
const MOST_READINGS = 5_000;
const DEEPEST = 100;

/** The size of a value of the manifest. */
export function sizeOf(value: JsonValue): ValueSize {
  let [depth, elements] = [0, 0];
  let level = [value];
  for (;;) {
    level = level.flatMap((one) => (typeof one === "object" && one ? Object.values(one) : []));
    if (level.length === 0) break;
    depth += 1;
    elements += level.length;
  }
  return { depth, elements, bytes: byteLength(JSON.stringify(value)) };
}

/**
 * A size below which no value fits a schema, as far as its plain keywords tell: every value may well be
 * larger. The schema may hold errors.
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

  /** @param root within which the references of `schema` are read */
  of(schema: JsonValue | undefined, root: JsonSchema, level: number): ValueSize {
    this.#readings += 1;
    if (!isJsonObject(schema) || level > DEEPEST || this.#readings > MOST_READINGS) return NOTHING;
    const reference = ownValue(schema, "$ref");
    const referred = typeof reference === "string" ? [this.#behind(reference, root, level)] : [];
    if (referred.length > 0 && dialectOf(root) === "draft-07") return largest(referred);
    const all = listUnder(schema, "allOf").map((part) => this.of(part, root, level + 1));
    const unions = ["anyOf", "oneOf"].flatMap((keyword) => {
      const sizes = listUnder(schema, keyword).map((part) => this.of(part, root, level + 1));
      return sizes.length === 0 ? [] : [smallest(sizes)];
    });
    const stated = statedValues(schema);
    const own = stated ? smallest(stated.map(sizeOf)) : this.#ofType(schema, root, level);
    return largest([own, ...referred, ...all, ...unions]);
  }

  #behind(reference: string, root: JsonSchema, level: number): ValueSize {
    const target = resolveReference(root, reference, this.#shared);
    return target === undefined ? NOTHING : this.of(target.schema, target.root, level + 1);
  }

  #ofType(schema: JsonObject, root: JsonSchema, level: number): ValueSize {
    switch (ownValue(schema, "type")) {
      case "object":
        return this.#ofObject(schema, root, level);
      case "array":
        return this.#ofArray(schema, root, level);
      case "string":
        return { ...NOTHING, bytes: 2 + countUnder(schema, "minLength") };
      default:
        return NOTHING;
    }
  }

  #ofObject(schema: JsonObject, root: JsonSchema, level: number): ValueSize {
    const names = listUnder(schema, "required").filter((name) => typeof name === "string");
    const properties = ownValue(schema, "properties");
    const members = [...new Set(names)].map((name) => {
      const member = isJsonObject(properties) ? ownValue(properties, name) : undefined;
      const { bytes, ...rest } = this.of(member, root, level + 1);
      return { ...rest, bytes: bytes + byteLength(JSON.stringify(name)) + 1 };
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
      bytes: bytes + more * Math.max(0, rest.bytes - NOTHING.bytes),
    };
  }
}

/** What holds at least so many members, of which some are known. */
function around(members: readonly ValueSize[], least: number): ValueSize {
  const count = Math.max(members.length, least);
  const unknown = count - members.length;
  const sum = (name: SizeName): number => members.reduce((total, one) => total + one[name], 0);
  return {
    depth: count === 0 ? 0 : 1 + members.reduce((most, { depth }) => Math.max(most, depth), 0),
    elements: count + sum("elements"),
    bytes: 2 + sum("bytes") + unknown * NOTHING.bytes + Math.max(0, count - 1),
  };
}

const largest = (sizes: readonly ValueSize[]): ValueSize => combined(sizes, Math.max);
const smallest = (sizes: readonly ValueSize[]): ValueSize => combined(sizes, Math.min);

/** One after the other: as arguments of one call, the choices of a long `enum` would be too many. */
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

function statedValues(schema: JsonObject): readonly JsonValue[] | undefined {
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
