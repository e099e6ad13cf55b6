import { canonicalText } from "../values.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { assertionsOf } from "../assertions.js";
import { meets } from "../interpret.js";
import type { KeywordDefinition, KeywordShape } from "../keywords/definition.js";
import { KEYWORDS } from "../keywords/index.js";
import {
  follow,
  isObjectNode,
  keyword,
  referencesOf,
  schemasIn,
  type ObjectNode,
  type SchemaNode,
  type SchemaPlace,
} from "./schema-node.js";
import { ALL_TYPES, comparedTypeOf, typesAllowedBy, type ValueType } from "./value-types.js";

/** The shapes of keywords that limit a number, a length or a count, and ask for nothing else. */
const LIMITS: ReadonlySet<KeywordShape> = new Set(["number", "positive number", "count"]);

/** Schemas that all apply to one value, with those to which their references and `allOf` lead. */
export interface Gathered {
  readonly nodes: readonly ObjectNode[];
  /** True if one of the schemas is `false`. */
  readonly isNever: boolean;
  /** True if a reference leads nowhere, so that nodes are missing. */
  readonly isIncomplete: boolean;
}

/** The kind of values that a proof is about. Keywords for these values could imply what was not proven. */
export type Aspect = "any" | "string" | "number" | "array" | "object";

/**
 * Schemas that all apply to one value, with those to which their `allOf` and references lead. Its
 * members state nothing that the schemas do not state, so that conclusions from them are certain.
 */
export class Conjunction {
  readonly nodes: readonly ObjectNode[];
  /** True if it is proven that no value fits. */
  readonly isNever: boolean;
  /** True if a reference leads nowhere, so that nodes are missing. */
  readonly isIncomplete: boolean;
  /** The lists under `anyOf` and `oneOf` of which one branch is among the nodes. */
  readonly #chosenLists: ReadonlySet<JsonValue>;
  /** The place for findings if no node has one. */
  readonly #anchor: SchemaPlace;
  #types: ReadonlySet<ValueType> | undefined;
  #values: readonly JsonValue[] | undefined | null = null;

  constructor(
    schemas: readonly SchemaNode[],
    anchor: SchemaPlace,
    chosenLists: ReadonlySet<JsonValue> = new Set(),
  ) {
    const result = gather(schemas);
    this.nodes = result.nodes.flatMap((node) => [node, ...constantShape(node)]);
    this.isIncomplete = result.isIncomplete;
    this.#anchor = anchor;
    this.#chosenLists = chosenLists;
    this.isNever = result.isNever || this.types.size === 0;
  }

  /** The conjunction of these schemas and further ones. */
  with(...schemas: readonly SchemaNode[]): Conjunction {
    return new Conjunction([...this.nodes, ...schemas], this.#anchor, this.#chosenLists);
  }

  /** The types that fitting values can have. */
  get types(): ReadonlySet<ValueType> {
    this.#types ??= this.#readTypes();
    return this.#types;
  }

  #readTypes(): ReadonlySet<ValueType> {
    let types = ALL_TYPES;
    for (const node of this.nodes) {
      const allowedTypes = typesAllowedBy(keyword(node, "type"));
      types = new Set([...types].filter((type) => allowedTypes.has(type)));
    }
    const values = listedValues(this.nodes)?.map(comparedTypeOf);
    return values === undefined ? types : new Set(values.filter((type) => types.has(type)));
  }

  /** Every value that may fit, if `const`, `enum` or the types allow only a few values; else undefined. */
  get values(): readonly JsonValue[] | undefined {
    if (this.#values === null) this.#values = this.#readValues();
    return this.#values;
  }

  #readValues(): readonly JsonValue[] | undefined {
    const listed = listedValues(this.nodes);
    if (listed !== undefined) {
      return listed.filter(
        (value) => this.types.has(comparedTypeOf(value)) && this.#isWithin(value),
      );
    }
    if ([...this.types].some((type) => type !== "null" && type !== "boolean")) return undefined;
    return [...this.types].flatMap((type) => (type === "null" ? [null] : [true, false]));
  }

  /** True if a value is within the limits of its numbers, lengths and counts. */
  #isWithin(value: JsonValue): boolean {
    return this.nodes.every((node) =>
      assertionsOf(node.schema, node.source.dialect).every(
        (assertion) => !LIMITS.has(assertion.definition.shape) || meets(value, assertion),
      ),
    );
  }

  /** The greatest number that a node has under a keyword. */
  greatest(name: string): number | undefined {
    return this.#numbers(name).reduce<number | undefined>(
      (most, limit) => (most === undefined || limit > most ? limit : most),
      undefined,
    );
  }

  /** The least number that a node has under a keyword. */
  least(name: string): number | undefined {
    return this.#numbers(name).reduce<number | undefined>(
      (least, limit) => (least === undefined || limit < least ? limit : least),
      undefined,
    );
  }

  #numbers(name: string): number[] {
    return this.valuesOf(name).filter((limit) => typeof limit === "number");
  }

  /** The values that the nodes have under a keyword. */
  valuesOf(name: string): JsonValue[] {
    return this.nodes
      .map((node) => keyword(node, name))
      .filter((value): value is JsonValue => value !== undefined);
  }

  /** The keywords that the nodes have. */
  get keywords(): readonly KeywordDefinition[] {
    const names = this.nodes.flatMap((node) =>
      Object.keys(node.schema).filter((name) => keyword(node, name) !== undefined),
    );
    return [...new Set(names)].flatMap((name) => KEYWORDS.get(name) ?? []);
  }

  /** The properties that every fitting object has. */
  get required(): ReadonlySet<string> {
    const names = this.valuesOf("required").filter(Array.isArray).flat();
    return new Set(names.filter((name) => typeof name === "string"));
  }

  /** True if no keyword outside the facts of this class could imply what they do not prove. */
  isExactFor(aspect: Aspect): boolean {
    if (this.isIncomplete || this.alternatives() !== undefined) return false;
    return !this.keywords.some(
      ({ hidesFactsOf = [] }) => hidesFactsOf.includes("any") || hidesFactsOf.includes(aspect),
    );
  }

  /** Makes a conjunction for each branch of the first `anyOf` or `oneOf` of which no branch was chosen yet. */
  alternatives(): (() => Conjunction[]) | undefined {
    for (const node of this.nodes) {
      for (const name of ["anyOf", "oneOf"]) {
        const list = keyword(node, name);
        if (!Array.isArray(list) || this.#chosenLists.has(list)) continue;
        const chosenLists = new Set([...this.#chosenLists, list]);
        return () =>
          schemasIn(node, name).map(
            (branch) => new Conjunction([...this.nodes, branch], this.#anchor, chosenLists),
          );
      }
    }
    return undefined;
  }

  /** The place to report for a keyword: the node that has it, or else a node with more than a reference. */
  placeOf(name?: string): SchemaPlace {
    const nodeWithKeyword =
      name === undefined ? undefined : this.nodes.find((node) => Object.hasOwn(node.schema, name));
    return nodeWithKeyword ?? this.nodes.find((node) => !isBareReference(node)) ?? this.#anchor;
  }

  /** A cache key: equal for conjunctions with the same nodes and as many choices. */
  key(idOf: (schema: JsonObject) => number): string {
    const ids = this.nodes.map(({ schema }) => idOf(schema)).sort((left, right) => left - right);
    return `${ids.join()}/${this.#chosenLists.size}`;
  }
}

function isBareReference({ schema }: ObjectNode): boolean {
  return Object.keys(schema).every((name) => name === "$ref" || name === "description");
}

/** Collects the schemas and those to which their `allOf` and references lead, each once. */
export function gather(schemas: readonly SchemaNode[]): Gathered {
  const nodes = new Map<JsonObject, ObjectNode>();
  const waiting = [...schemas].reverse();
  let isNever = false;
  let isIncomplete = false;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.schema === false) isNever = true;
    if (!isObjectNode(node) || nodes.has(node.schema)) continue;
    nodes.set(node.schema, node);
    for (const reference of referencesOf(node)) {
      const target = follow(node, reference);
      if (target === undefined) isIncomplete = true;
      else waiting.push(target);
    }
    for (const member of schemasIn(node, "allOf").reverse()) waiting.push(member);
  }
  return { nodes: [...nodes.values()], isNever, isIncomplete };
}

/** The values that every `const` and `enum` of the nodes allows; undefined if the nodes have neither. */
function listedValues(nodes: readonly ObjectNode[]): JsonValue[] | undefined {
  let values: Map<string, JsonValue> | undefined;
  for (const node of nodes) {
    for (const list of valueLists(node)) {
      const byText = new Map(list.map((value) => [canonicalText(value), value]));
      values = new Map([...(values ?? byText)].filter(([text]) => byText.has(text)));
    }
  }
  return values && [...values.values()];
}

function valueLists(node: ObjectNode): (readonly JsonValue[])[] {
  const constant = keyword(node, "const");
  const list = keyword(node, "enum");
  return [...(constant === undefined ? [] : [[constant]]), ...(Array.isArray(list) ? [list] : [])];
}

const shapes = new WeakMap<object, JsonObject>();

/** Describes an object or array under `const` by other keywords, so that its members can be compared. */
function constantShape(node: ObjectNode): ObjectNode[] {
  const constant = keyword(node, "const");
  if (typeof constant !== "object" || constant === null) return [];
  const schema = shapes.get(constant) ?? describeConstant(constant);
  shapes.set(constant, schema);
  return [{ ...node, schema }];
}

function describeConstant(constant: JsonValue[] | JsonObject): JsonObject {
  if (isJsonObject(constant)) {
    const members = Object.entries(constant).map(([name, value]) => [name, { const: value }]);
    return {
      properties: Object.fromEntries(members) as JsonObject,
      required: Object.keys(constant),
      additionalProperties: false,
    };
  }
  // A list under `items` describes the first items in both dialects, as this package reads it.
  const items = constant.map((value) => ({ const: value }));
  return { items, minItems: items.length, maxItems: items.length };
}
