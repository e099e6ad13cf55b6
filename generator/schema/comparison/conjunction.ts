import { canonicalText } from "../values.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { KeywordDefinition } from "../keywords/definition.js";
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
import { ALL_TYPES, typeOfValue, typesNamed, type ValueType } from "./value-types.js";

/** Schemas that hold together, as far as references and `allOf` lead. */
export interface Gathered {
  readonly nodes: readonly ObjectNode[];
  /** One of them is `false`. */
  readonly isNever: boolean;
  /** A reference leads nowhere, so that the nodes are not all. */
  readonly isIncomplete: boolean;
}

/** What a failing proof is about: the keywords that could secretly imply what was to be proven. */
export type Aspect = "any" | "string" | "number" | "array" | "object";

/**
 * Schemas that hold together for one value: those given, and what their `allOf` and references
 * lead to. Its facts say at most what the schemas say, so that what follows from them is certain.
 */
export class Conjunction {
  readonly nodes: readonly ObjectNode[];
  /** No value fits. */
  readonly isNever: boolean;
  /** A reference leads nowhere, so that the nodes are not all. */
  readonly isIncomplete: boolean;
  /** Lists of alternatives of which one branch each is among the nodes. */
  readonly #chosen: ReadonlySet<JsonValue>;
  /** Where it stands, also when it says nothing. */
  readonly #anchor: SchemaPlace;
  #types: ReadonlySet<ValueType> | undefined;
  #values: readonly JsonValue[] | undefined | null = null;

  constructor(
    schemas: readonly SchemaNode[],
    anchor: SchemaPlace,
    chosen: ReadonlySet<JsonValue> = new Set(),
  ) {
    const gathered = gather(schemas);
    this.nodes = gathered.nodes.flatMap((node) => [node, ...constantShape(node)]);
    this.isIncomplete = gathered.isIncomplete;
    this.#anchor = anchor;
    this.#chosen = chosen;
    this.isNever = gathered.isNever || this.types.size === 0;
  }

  /** The values that fit both this and a further schema. */
  with(...schemas: readonly SchemaNode[]): Conjunction {
    return new Conjunction([...this.nodes, ...schemas], this.#anchor, this.#chosen);
  }

  /** The types that values can have. */
  get types(): ReadonlySet<ValueType> {
    this.#types ??= this.#readTypes();
    return this.#types;
  }

  #readTypes(): ReadonlySet<ValueType> {
    let types = ALL_TYPES;
    for (const node of this.nodes) {
      const named = typesNamed(keyword(node, "type"));
      types = new Set([...types].filter((type) => named.has(type)));
    }
    const values = listedValues(this.nodes)?.map(typeOfValue);
    return values === undefined ? types : new Set(values.filter((type) => types.has(type)));
  }

  /** All values that can fit, where `const`, `enum` or the types make them few; some may not fit after all. */
  get values(): readonly JsonValue[] | undefined {
    if (this.#values === null) this.#values = this.#readValues();
    return this.#values;
  }

  #readValues(): readonly JsonValue[] | undefined {
    const listed = listedValues(this.nodes);
    if (listed !== undefined) return listed.filter((value) => this.types.has(typeOfValue(value)));
    if ([...this.types].some((type) => type !== "null" && type !== "boolean")) return undefined;
    return [...this.types].flatMap((type) => (type === "null" ? [null] : [true, false]));
  }

  /** The greatest of the numbers that the nodes have under a keyword. */
  greatest(name: string): number | undefined {
    return this.#numbers(name).reduce<number | undefined>(
      (most, limit) => (most === undefined || limit > most ? limit : most),
      undefined,
    );
  }

  /** The least of the numbers that the nodes have under a keyword. */
  least(name: string): number | undefined {
    return this.#numbers(name).reduce<number | undefined>(
      (least, limit) => (least === undefined || limit < least ? limit : least),
      undefined,
    );
  }

  #numbers(name: string): number[] {
    return this.valuesOf(name).filter((limit) => typeof limit === "number");
  }

  /** What the nodes have under a keyword. */
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

  /** The properties that every object has. */
  get required(): ReadonlySet<string> {
    const names = this.valuesOf("required").filter(Array.isArray).flat();
    return new Set(names.filter((name) => typeof name === "string"));
  }

  /** Whether a proof that fails here has failed for good: nothing vague could still have implied it. */
  isExactFor(aspect: Aspect): boolean {
    if (this.isIncomplete || this.alternatives() !== undefined) return false;
    return !this.keywords.some(
      ({ hidesFactsOf = [] }) => hidesFactsOf.includes("any") || hidesFactsOf.includes(aspect),
    );
  }

  /** The first `anyOf` or `oneOf` of which no branch was chosen: one conjunction for each branch. */
  alternatives(): (() => Conjunction[]) | undefined {
    for (const node of this.nodes) {
      for (const name of ["anyOf", "oneOf"]) {
        const list = keyword(node, name);
        if (!Array.isArray(list) || this.#chosen.has(list)) continue;
        const chosen = new Set([...this.#chosen, list]);
        return () =>
          schemasIn(node, name).map(
            (branch) => new Conjunction([...this.nodes, branch], this.#anchor, chosen),
          );
      }
    }
    return undefined;
  }

  /** Where a finding about a keyword is shown: at the node that has it, else at one that says something itself. */
  placeOf(name?: string): SchemaPlace {
    const holder =
      name === undefined ? undefined : this.nodes.find((node) => Object.hasOwn(node.schema, name));
    return holder ?? this.nodes.find((node) => !isBareReference(node)) ?? this.#anchor;
  }

  /** Tells conjunctions apart: equal for the same nodes with the same choices. */
  key(idOf: (schema: JsonObject) => number): string {
    const ids = this.nodes.map(({ schema }) => idOf(schema)).sort((left, right) => left - right);
    return `${ids.join()}/${this.#chosen.size}`;
  }
}

function isBareReference({ schema }: ObjectNode): boolean {
  return Object.keys(schema).every((name) => name === "$ref" || name === "description");
}

/** The nodes with what their `allOf` and references lead to, each once. */
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
    for (const part of schemasIn(node, "allOf").reverse()) waiting.push(part);
  }
  return { nodes: [...nodes.values()], isNever, isIncomplete };
}

/** The values that `const` and `enum` leave; undefined where the nodes have neither. */
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

/** A structured constant in the words of schemas, so that its parts can be compared. */
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
  // A list under `items` describes the first ones whatever the dialect.
  const items = constant.map((value) => ({ const: value }));
  return { items, minItems: items.length, maxItems: items.length };
}
