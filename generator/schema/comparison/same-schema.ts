import { canonicalText } from "../values.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import { refusesNothing } from "../assertions.js";
import {
  follow,
  isObjectNode,
  keyword,
  schemasByName,
  schemasIn,
  schemaUnder,
  type ObjectNode,
  type SchemaNode,
} from "./schema-node.js";

const MAX_DEPTH = 256;

/**
 * Decides whether two schemas are the same: they differ in annotations only, and their references lead to schemas
 * that are the same. Caches its answers.
 */
export class SameSchemas {
  readonly #proven = new Set<string>();
  readonly #refuted = new Set<string>();
  readonly #idOf: (schema: JsonObject) => number;

  constructor(idOf: (schema: JsonObject) => number) {
    this.#idOf = idOf;
  }

  areSame(left: SchemaNode, right: SchemaNode): boolean {
    const assumedPairs = new Set<string>();
    const same = this.#compare(left, right, assumedPairs, 0);
    // Recursive schemas are the same if no difference was found on the way back to them.
    if (same) for (const pair of assumedPairs) this.#proven.add(pair);
    return same;
  }

  /** True if two schemas have the same values under all these keywords. */
  haveSame(left: ObjectNode, right: ObjectNode, names: readonly string[]): boolean {
    const assumedPairs = new Set<string>();
    return names.every((name) => this.#sameKeyword(left, right, name, assumedPairs, 0));
  }

  #compare(left: SchemaNode, right: SchemaNode, assumedPairs: Set<string>, depth: number): boolean {
    if (!isObjectNode(left) || !isObjectNode(right)) return left.schema === right.schema;
    const pair = `${left.source.dialect} ${this.#idOf(left.schema)} ${right.source.dialect} ${this.#idOf(right.schema)}`;
    if (this.#proven.has(pair) || assumedPairs.has(pair)) return true;
    if (this.#refuted.has(pair) || depth > MAX_DEPTH) return false;
    assumedPairs.add(pair);
    const names = new Set([...assertions(left), ...assertions(right)]);
    const same = [...names].every((name) =>
      this.#sameKeyword(left, right, name, assumedPairs, depth + 1),
    );
    if (!same) this.#refuted.add(pair);
    return same;
  }

  #sameKeyword(
    left: ObjectNode,
    right: ObjectNode,
    name: string,
    assumedPairs: Set<string>,
    depth: number,
  ): boolean {
    const [leftValue, rightValue] = [keyword(left, name), keyword(right, name)];
    if (leftValue === undefined || rightValue === undefined) return leftValue === rightValue;
    const same: Same = (a, b) => this.#compare(a, b, assumedPairs, depth);
    if (name === "$ref" || name === "$dynamicRef") return sameTargets(left, right, name, same);
    if (!HOLDS_SCHEMAS.test(KEYWORDS.get(name)?.shape ?? "")) return isEqual(leftValue, rightValue);
    const [leftSchemas, rightSchemas] = [schemasOf(left, name), schemasOf(right, name)];
    return (
      leftSchemas.size === rightSchemas.size &&
      isEqual(namesIn(leftValue), namesIn(rightValue)) &&
      [...leftSchemas].every(([key, schema]) => {
        const otherSchema = rightSchemas.get(key);
        return otherSchema !== undefined && same(schema, otherSchema);
      })
    );
  }
}

type Same = (left: SchemaNode, right: SchemaNode) => boolean;

const HOLDS_SCHEMAS = /^(schema|dependency map)/;

function isEqual(left: JsonValue, right: JsonValue): boolean {
  return canonicalText(left) === canonicalText(right);
}

/** The keywords of a node that can refuse a value. */
function assertions(node: ObjectNode): string[] {
  return Object.keys(node.schema).filter(
    (name) => !refusesNothing(name) && keyword(node, name) !== undefined,
  );
}

function sameTargets(left: ObjectNode, right: ObjectNode, name: string, same: Same): boolean {
  const [one, other] = [left, right].map((node) => {
    const reference = ownValue(node.schema, name);
    return typeof reference === "string" ? follow(node, reference) : undefined;
  });
  return one !== undefined && other !== undefined && same(one, other);
}

/** The schemas under a keyword, by their keys or indexes. */
function schemasOf(node: ObjectNode, name: string): Map<string, SchemaNode> {
  if (KEYWORDS.get(name)?.shape.endsWith("map")) return schemasByName(node, name);
  const schema = schemaUnder(node, name);
  const schemas = schema === undefined ? schemasIn(node, name) : [schema];
  return new Map(schemas.map((one, index) => [String(index), one]));
}

/** The lists of property names that draft-07's `dependencies` may have besides schemas. */
function namesIn(value: JsonValue): JsonObject {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter(([, entry]) => Array.isArray(entry)));
}
