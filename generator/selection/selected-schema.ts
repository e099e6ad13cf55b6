import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { nearestName } from "../text/nearest-name.js";
import { quoted } from "../text/value-words.js";
import { AnswerSchema, oneOf, type JsonType } from "./answer-schema.js";
import type { FunctionName, Selection } from "../model/selection.js";

/** The schema of what a selection makes of the answers of a schema. */
export interface SelectedSchema {
  /** It accepts each selected value. */
  readonly schema: JsonSchema;
  /** Parts of the selection that no answer has, or functions that fail for some answers, in words. */
  readonly problems: readonly string[];
}

/** The schema of a value that may be null where a part of the answer is not there. */
interface Shape {
  readonly schema: JsonSchema;
  readonly mayBeNull: boolean;
}

/**
 * Derives the schema of what a selection makes of each answer that the answer's schema accepts. Where nothing is known,
 * it accepts everything.
 *
 * @param mayBeEmpty whether there may be nothing to select from; then an empty list or null fits, too
 */
export function selectedSchema(
  selection: Selection,
  answer: AnswerSchema,
  mayBeEmpty = false,
): SelectedSchema {
  const derivation = new Derivation(answer);
  const shape = derivation.shapeOf(selection, { schema: answer.root, mayBeNull: false });
  const isEmptyList = [...answer.typesOf(shape.schema)].join() === "array";
  const mayBeNull = shape.mayBeNull || (mayBeEmpty && !isEmptyList);
  const schema = answer.withDefinitions(derivation.withNull({ ...shape, mayBeNull }));
  return { schema, problems: [...new Set(derivation.problems)] };
}

const NULL: Shape = { schema: { type: "null" }, mayBeNull: true };

class Derivation {
  readonly problems: string[] = [];
  readonly #answer: AnswerSchema;

  constructor(answer: AnswerSchema) {
    this.#answer = answer;
  }

  shapeOf(selection: Selection, current: Shape): Shape {
    const of = (inner: Selection): Shape => this.shapeOf(inner, current);
    switch (selection.kind) {
      case "current":
        return current;
      case "literal":
        return certain({ const: selection.value });
      case "member":
        return this.#member(current, selection.name);
      case "item":
        return { schema: this.#items(current) ?? NULL.schema, mayBeNull: true };
      case "slice":
        return this.#listOf(current, this.#items(current));
      case "then":
        return this.shapeOf(selection.next, of(selection.first));
      case "flat":
        return this.#flat(of(selection.of));
      case "members": {
        const object = of(selection.of);
        return this.#listOf(object, this.#members(object), "object");
      }
      case "where":
        return this.#where(of(selection.of), selection.test);
      case "each":
        return this.#each(of(selection.of), selection.select);
      case "object":
        return this.#unlessNull(current, this.#object(selection.members, current));
      case "list":
        return this.#unlessNull(current, this.#list(selection.items, current));
      case "either":
        return this.#either(of(selection.first), of(selection.other));
      case "both":
        return anyShape([of(selection.first), of(selection.other)]);
      case "not":
        return certain({ type: "boolean" });
      case "compare": {
        const sides = [of(selection.left), of(selection.right)];
        const isEquality = selection.operator === "==" || selection.operator === "!=";
        const mayBeNull = !isEquality && !sides.every((side) => this.#isOnly(side, "number"));
        return { schema: { type: "boolean" }, mayBeNull };
      }
      case "call":
        return this.#call(selection.name, selection.given.map(of));
    }
  }

  /** The schema that also accepts null where the value may be null. */
  withNull({ schema, mayBeNull }: Shape): JsonSchema {
    if (!mayBeNull || this.#answer.acceptsNull(schema)) return schema;
    const type = isJsonObject(schema) ? schema["type"] : undefined;
    const isListed = isJsonObject(schema) && ("enum" in schema || "const" in schema);
    const isCombined =
      isJsonObject(schema) &&
      ["$ref", "allOf", "anyOf", "oneOf", "not", "if"].some((key) => key in schema);
    if (type === undefined || isListed || isCombined) return oneOf([schema, { type: "null" }]);
    return { ...(schema as JsonObject), type: [type, "null"].flat() };
  }

  #typesOf({ schema, mayBeNull }: Shape): ReadonlySet<JsonType> {
    const types = this.#answer.typesOf(schema);
    return mayBeNull ? new Set([...types, "null"]) : types;
  }

  #isOnly(shape: Shape, type: JsonType): boolean {
    const types = this.#typesOf(shape);
    return types.size === 1 && types.has(type);
  }

  #member(current: Shape, name: string): Shape {
    const sight = this.#answer.member(current.schema, name);
    const names = this.#answer.names(current.schema);
    if (sight === undefined || (!sight.isKnown && names.length > 0))
      this.#reportAbsent(current, name, names);
    if (sight === undefined) return NULL;
    return {
      schema: sight.schema,
      mayBeNull: !sight.isRequired || !this.#isOnly(current, "object"),
    };
  }

  #reportAbsent(current: Shape, name: string, names: readonly string[]): void {
    if (names.length === 0) {
      const types = [...this.#answer.typesOf(current.schema)];
      const found =
        types.length === 1
          ? `what it looks into is ${TYPES_IN_WORDS[types[0] ?? "null"]}`
          : "what it looks into is no object";
      this.problems.push(`nothing has a member ${quoted(name)}: ${found}`);
      return;
    }
    const nearest = nearestName(name, names);
    const meant =
      nearest === undefined
        ? `there are ${names.slice(0, 8).join(", ")}`
        : `did you mean ${quoted(nearest)}?`;
    this.problems.push(`the answer's schema has no member ${quoted(name)} there: ${meant}`);
  }

  /** The schema of the items of a list; undefined if there is no list, which is reported. */
  #items(current: Shape): JsonSchema | undefined {
    const sight = this.#answer.items(current.schema);
    if (sight === undefined && current !== NULL) this.#reportType("a list", current);
    return sight?.schema;
  }

  #members(current: Shape): JsonSchema | undefined {
    const sight = this.#answer.members(current.schema);
    if (sight === undefined && current !== NULL) this.#reportType("an object", current);
    return sight?.schema;
  }

  #reportType(wanted: string, { schema }: Shape): void {
    const types = [...this.#answer.typesOf(schema)].map((type) => TYPES_IN_WORDS[type]);
    this.problems.push(`${wanted} is needed where the answer's schema has ${types.join(" or ")}`);
  }

  /** A list of such items, from a value; null if the value is not of the type. */
  #listOf(from: Shape, items: JsonSchema | undefined, type: JsonType = "array"): Shape {
    if (items === undefined) return NULL;
    return { schema: arrayOf(items), mayBeNull: !this.#isOnly(from, type) };
  }

  #each(list: Shape, select: Selection): Shape {
    const items = this.#items(list);
    if (items === undefined) return NULL;
    const selected = this.shapeOf(select, certain(withoutNull(items)));
    return this.#listOf(list, withoutNull(selected.schema));
  }

  #where(list: Shape, test: Selection): Shape {
    const items = this.#items(list);
    if (items === undefined) return NULL;
    this.shapeOf(test, certain(items));
    return this.#listOf(list, items);
  }

  #flat(list: Shape): Shape {
    const items = this.#items(list);
    if (items === undefined) return NULL;
    const types = this.#answer.typesOf(items);
    if (!types.has("array")) return this.#listOf(list, withoutNull(items));
    const inner = this.#answer.items(items)?.schema ?? true;
    return this.#listOf(list, withoutNull(types.size === 1 ? inner : oneOf([items, inner])));
  }

  #object(members: readonly (readonly [string, Selection])[], current: Shape): JsonObject {
    const present = certain(current.schema);
    const properties = members.map(
      ([name, value]) => [name, this.withNull(this.shapeOf(value, present))] as const,
    );
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      required: [...new Set(members.map(([name]) => name))],
      additionalProperties: false,
    };
  }

  #list(items: readonly Selection[], current: Shape): JsonObject {
    const present = certain(current.schema);
    const schemas = items.map((item) => this.withNull(this.shapeOf(item, present)));
    const { length } = items;
    return { ...arrayOf(oneOf(schemas)), minItems: length, maxItems: length };
  }

  #unlessNull(current: Shape, schema: JsonObject): Shape {
    return { schema, mayBeNull: this.#typesOf(current).has("null") };
  }

  #either(first: Shape, other: Shape): Shape {
    return {
      schema: this.#answer.anyOf([withoutNull(first.schema), other.schema]),
      mayBeNull: this.#typesOf(other).has("null"),
    };
  }

  #call(name: FunctionName, given: readonly Shape[]): Shape {
    for (const [index, shape] of given.entries()) {
      const wanted = (WANTED[name] ?? [])[index];
      if (wanted !== undefined) this.#expectTypes(`${name}()`, shape, wanted);
    }
    switch (name) {
      case "contains":
      case "starts_with":
      case "ends_with":
        return certain({ type: "boolean" });
      case "join":
        this.#expectItems("join()", given[1], "string");
        return certain({ type: "string" });
      case "to_string":
        return certain({ type: "string" });
      case "keys":
        return certain(arrayOf({ type: "string" }));
      case "values":
        return certain(arrayOf(this.#answer.members(given[0]?.schema ?? true)?.schema ?? true));
      case "length":
        return certain({ type: "integer", minimum: 0 });
      case "sum":
        this.#expectItems("sum()", given[0], "number");
        return certain({ type: "number" });
      case "not_null":
        return {
          schema: this.#answer.anyOf(given.map(({ schema }) => withoutNull(schema))),
          mayBeNull: given.every((shape) => this.#typesOf(shape).has("null")),
        };
    }
  }

  /** Reports an argument that a function does not take, if the answer's schema says anything about it. */
  #expectTypes(call: string, shape: Shape, wanted: readonly JsonType[]): void {
    if (this.#answer.typesOf(shape.schema).size >= 5) return;
    const others = [...this.#typesOf(shape)].filter((type) => !wanted.includes(type));
    if (others.length === 0) return;
    const found = others.map((type) => TYPES_IN_WORDS[type]).join(" or ");
    const mend =
      others.join() === "null"
        ? ", unless the selection has something in its place (`tags || \\`[]\\``)"
        : "";
    this.problems.push(`${call} fails where its argument is ${found}${mend}`);
  }

  #expectItems(call: string, list: Shape | undefined, type: JsonType): void {
    const items = this.#answer.items(list?.schema ?? true)?.schema ?? true;
    if (items !== true) this.#expectTypes(call, certain(items), [type]);
  }
}

/** The types that functions take, argument by argument. */
const WANTED: Readonly<Partial<Record<FunctionName, readonly (readonly JsonType[])[]>>> = {
  contains: [["array", "string"]],
  ends_with: [["string"], ["string"]],
  join: [["string"], ["array"]],
  keys: [["object"]],
  length: [["array", "object", "string"]],
  starts_with: [["string"], ["string"]],
  sum: [["array"]],
  values: [["object"]],
};

const TYPES_IN_WORDS: Readonly<Record<JsonType, string>> = {
  array: "a list",
  boolean: "a boolean",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a text",
};

function certain(schema: JsonSchema): Shape {
  return { schema, mayBeNull: false };
}

function anyShape(shapes: readonly Shape[]): Shape {
  return {
    schema: oneOf(shapes.map(({ schema }) => schema)),
    mayBeNull: shapes.some(({ mayBeNull }) => mayBeNull),
  };
}

function arrayOf(items: JsonSchema): JsonObject {
  return items === true ? { type: "array" } : { type: "array", items };
}

/** A schema that no longer accepts null, where that can be said at its own place. */
function withoutNull(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const { type, anyOf, ...others } = schema;
  if (Array.isArray(type) && type.length > 1 && type.includes("null")) {
    const left = type.filter((name) => name !== "null");
    return { ...schema, type: left.length === 1 ? (left[0] ?? "null") : left };
  }
  if (!Array.isArray(anyOf) || !anyOf.every(isJsonObject)) return schema;
  const left = anyOf.filter((part) => part["type"] !== "null");
  if (left.length === anyOf.length || left.length === 0) return schema;
  return left.length === 1 && Object.keys(others).length === 0 && type === undefined
    ? (left[0] ?? schema)
    : { ...schema, anyOf: left };
}
