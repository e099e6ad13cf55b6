import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { dialectOf, isJsonSchema, ownValue, TYPE_NAMES } from "../schema/json-schema.js";
import { interpret } from "../schema/interpret.js";
import { mapSubschemas } from "../schema/map-subschemas.js";
import {
  parseReference,
  resolveReference,
  writeReference,
  type SharedSchemas,
} from "../schema/schema-reference.js";

/** A type of JSON. Integers are numbers. */
export type JsonType = Exclude<(typeof TYPE_NAMES)[number], "integer">;

const ALL_TYPES: ReadonlySet<JsonType> = new Set(TYPE_NAMES.filter((name) => name !== "integer"));

/** The schema of a part of a value. */
export interface Sight {
  /** It accepts each value that the part can have; true if nothing is known. */
  readonly schema: JsonSchema;
  /** True if the value has the part wherever it has the right type. */
  readonly isRequired: boolean;
  /** False if the schema does not mention the part. */
  readonly isKnown: boolean;
}

const UNKNOWN: Sight = { schema: true, isRequired: false, isKnown: false };

/** More references than these lead nowhere, or in a circle. */
const MAX_DEPTH = 40;

/** The name of the definition that holds the answer's schema, where references lead to its root. */
const ANSWER = "Answer";

/**
 * The schema of an answer, and what its parts accept. Each schema that it gives can stand in any schema that has the
 * definitions of {@link withDefinitions}.
 */
export class AnswerSchema {
  /** The schema of the whole answer. */
  readonly root: JsonSchema;
  readonly #definitions: JsonObject;
  readonly #dialect: JsonValue | undefined;
  readonly #shared: SharedSchemas;
  readonly #isDraft07: boolean;
  /** The schema from whose root references are resolved. */
  readonly #definitionsRoot: JsonObject;

  constructor(schema: JsonSchema, shared: SharedSchemas) {
    this.#shared = shared;
    this.#isDraft07 = dialectOf(schema) === "draft-07";
    this.#dialect = isJsonObject(schema) ? schema["$schema"] : undefined;
    const key = this.#isDraft07 ? "definitions" : "$defs";
    const { $schema: _dialect, [key]: definitions, ...others } = isJsonObject(schema) ? schema : {};
    const own = isJsonObject(definitions) ? definitions : {};
    const needsRoot = refersOutside(schema, key);
    const move = (part: JsonSchema): JsonSchema => movedReferences(part, key);
    const moved = isJsonObject(schema) ? move(others) : schema;
    const entries = Object.entries(own).map(([name, value]) => [
      name,
      isJsonSchema(value) ? move(value) : value,
    ]);
    this.#definitions = {
      ...Object.fromEntries(entries),
      ...(needsRoot && { [ANSWER]: moved }),
    };
    this.root = moved;
    this.#definitionsRoot = {
      ...(this.#dialect !== undefined && { $schema: this.#dialect }),
      [key]: this.#definitions,
    };
  }

  /** A schema with the definitions to which parts of the answer's schema refer, and in its dialect. */
  withDefinitions(schema: JsonSchema): JsonSchema {
    const used = this.#usedDefinitions(schema);
    if (!isJsonObject(schema)) return schema;
    return {
      ...(this.#dialect !== undefined && { $schema: this.#dialect }),
      ...schema,
      ...(used !== undefined && { [this.#isDraft07 ? "definitions" : "$defs"]: used }),
    };
  }

  /** True if null fits a schema. */
  acceptsNull(schema: JsonSchema): boolean {
    return this.#accepts(schema, null);
  }

  #accepts(schema: JsonSchema, value: JsonValue): boolean {
    return interpret(value, schema, this.#definitionsRoot, { shared: this.#shared }).length === 0;
  }

  /** A schema that accepts what one of several schemas accepts, without constants that another one accepts. */
  anyOf(schemas: readonly JsonSchema[]): JsonSchema {
    const isConstant = (schema: JsonSchema): schema is { const: JsonValue } =>
      isJsonObject(schema) && Object.keys(schema).join() === "const";
    const others = schemas.filter((schema) => !isConstant(schema));
    return oneOf(
      schemas.filter(
        (schema) =>
          !isConstant(schema) || !others.some((other) => this.#accepts(other, schema.const)),
      ),
    );
  }

  /** The types that values of a schema can have. Values of some of them may still not fit it. */
  typesOf(schema: JsonSchema, depth = 0): ReadonlySet<JsonType> {
    if (schema === true || depth > MAX_DEPTH) return ALL_TYPES;
    if (schema === false) return new Set();
    const together = this.#conjuncts(schema).map((part) => this.typesOf(part, depth + 1));
    const choices = alternatives(schema).map((list) =>
      unionOf(list.map((part) => this.typesOf(part, depth + 1))),
    );
    return [...together, ...choices].reduce(intersection, this.#ownTypes(schema));
  }

  /** What a member of the objects of a schema accepts; undefined if they cannot have it, or there are no objects. */
  member(schema: JsonSchema, name: string): Sight | undefined {
    return this.#look(schema, "object", (keywords) => ownMember(keywords, name));
  }

  /** What each item of the lists of a schema accepts; undefined if there are no lists. */
  items(schema: JsonSchema): Sight | undefined {
    return this.#look(schema, "array", (keywords) => ownItems(keywords, this.#isDraft07));
  }

  /** What each member of the objects of a schema accepts; undefined if there are no objects. */
  members(schema: JsonSchema): Sight | undefined {
    return this.#look(schema, "object", ownMembers);
  }

  /** The names of members that a schema mentions. */
  names(schema: JsonSchema, depth = 0): string[] {
    if (!isJsonObject(schema) || depth > MAX_DEPTH) return [];
    const properties = this.#isReplaced(schema) ? {} : ownValue(schema, "properties");
    const inside = [...this.#conjuncts(schema), ...alternatives(schema).flat()];
    const own = isJsonObject(properties) ? Object.keys(properties) : [];
    return [...new Set([...own, ...inside.flatMap((part) => this.names(part, depth + 1))])];
  }

  /** True if objects may fit an alternative that names no members, of a schema that itself names none either. */
  hasOpenAlternative(schema: JsonSchema, depth = 0): boolean {
    if (!isJsonObject(schema) || depth > MAX_DEPTH) return false;
    const { anyOf: _anyOf, oneOf: _oneOf, ...others } = schema;
    const choices = this.names(others).length > 0 ? [] : alternatives(schema).flat();
    const isOpen = (part: JsonSchema): boolean =>
      this.names(part).length === 0 && this.members(part)?.isKnown === false;
    return (
      choices.some(isOpen) ||
      [...this.#conjuncts(schema), ...choices].some((part) =>
        this.hasOpenAlternative(part, depth + 1),
      )
    );
  }

  #look(
    schema: JsonSchema,
    type: JsonType,
    own: (keywords: JsonObject) => Sight | undefined,
    depth = 0,
  ): Sight | undefined {
    if (schema === true || depth > MAX_DEPTH) return UNKNOWN;
    if (schema === false) return undefined;
    const lookInside = (part: JsonSchema): Sight | undefined =>
      this.#look(part, type, own, depth + 1);
    const here = !this.#ownTypes(schema).has(type)
      ? undefined
      : this.#isReplaced(schema)
        ? UNKNOWN
        : own(schema);
    const together = this.#conjuncts(schema).map(lookInside);
    const choices = alternatives(schema).map((list) => either(list.map(lookInside)));
    return [...together, ...choices].reduce(both, here);
  }

  /** True if other keywords beside the reference of a schema do not count. */
  #isReplaced(schema: JsonObject): boolean {
    return this.#isDraft07 && Object.hasOwn(schema, "$ref");
  }

  #ownTypes(schema: JsonObject): ReadonlySet<JsonType> {
    if (this.#isReplaced(schema)) return ALL_TYPES;
    const listed = valuesOf(schema)?.map(typeOfValue);
    const stated = [ownValue(schema, "type") ?? []]
      .flat()
      .map((type) => (type === "integer" ? "number" : type));
    const types = stated.length === 0 ? ALL_TYPES : new Set(stated as JsonType[]);
    return listed === undefined ? types : intersection(types, new Set(listed));
  }

  /** The schemas that hold together with a schema's own keywords. */
  #conjuncts(schema: JsonObject): JsonSchema[] {
    const reference = ownValue(schema, "$ref");
    const target = typeof reference === "string" ? [this.#target(reference)] : [];
    return this.#isReplaced(schema) ? target : [...target, ...schemasIn(schema, "allOf")];
  }

  /** The schema to which a reference leads; true if its own references would lead elsewhere from here. */
  #target(reference: string): JsonSchema {
    const target = resolveReference(this.#definitionsRoot, reference, this.#shared);
    if (target === undefined) return true;
    return target.sharedName !== undefined && hasLocalReference(target.schema)
      ? true
      : target.schema;
  }

  #usedDefinitions(schema: JsonSchema): JsonObject | undefined {
    const used = new Map<string, JsonValue>();
    const queue: JsonValue[] = [schema];
    for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
      for (const name of definitionsIn(part)) {
        const definition = ownValue(this.#definitions, name);
        if (definition === undefined || used.has(name)) continue;
        used.set(name, definition);
        queue.push(definition);
      }
    }
    return used.size === 0 ? undefined : Object.fromEntries(used);
  }
}

/** The alternatives of a schema: of each list, at least one holds. */
function alternatives(schema: JsonObject): JsonSchema[][] {
  return ["anyOf", "oneOf"].map((key) => schemasIn(schema, key)).filter(({ length }) => length > 0);
}

function schemasIn(schema: JsonObject, key: string): JsonSchema[] {
  const list = ownValue(schema, key);
  return Array.isArray(list) ? list.filter(isJsonSchema) : [];
}

function ownMember(keywords: JsonObject, name: string): Sight | undefined {
  const properties = ownValue(keywords, "properties");
  const required = ownValue(keywords, "required");
  const isRequired = Array.isArray(required) && required.includes(name);
  const schema = isJsonObject(properties) ? ownValue(properties, name) : undefined;
  if (isJsonSchema(schema))
    return schema === false ? undefined : { schema, isRequired, isKnown: true };
  const others = ownValue(keywords, "additionalProperties");
  const isPatterned = ownValue(keywords, "patternProperties") !== undefined;
  if (others === false && !isPatterned) return undefined;
  const isKnown = !isPatterned && isJsonObject(others);
  return { schema: isKnown ? others : true, isRequired, isKnown };
}

function ownMembers(keywords: JsonObject): Sight | undefined {
  const { properties = {}, additionalProperties: others = true } = keywords;
  const isClosed = ownValue(keywords, "patternProperties") === undefined;
  if (!isJsonObject(properties) || !isJsonSchema(others) || !isClosed) return UNKNOWN;
  const named = Object.values(properties).filter(isJsonSchema);
  return { schema: oneOf([...named, others]), isRequired: true, isKnown: others !== true };
}

function ownItems(keywords: JsonObject, isDraft07: boolean): Sight | undefined {
  const items = ownValue(keywords, "items");
  const first = isDraft07
    ? Array.isArray(items)
      ? items
      : []
    : schemasIn(keywords, "prefixItems");
  const rest = isDraft07 && Array.isArray(items) ? ownValue(keywords, "additionalItems") : items;
  const others = isJsonSchema(rest) ? rest : true;
  const schema = oneOf([...first.filter(isJsonSchema), others]);
  return { schema, isRequired: true, isKnown: others !== true };
}

/** What accepts a part of which two schemas speak. */
function both(one: Sight | undefined, other: Sight | undefined): Sight | undefined {
  if (one === undefined || other === undefined) return undefined;
  const isRequired = one.isRequired || other.isRequired;
  return { ...(one.isKnown ? one : other), isRequired };
}

/** What accepts a part of which one of several schemas speaks. */
function either(sights: readonly (Sight | undefined)[]): Sight | undefined {
  const found = sights.filter((sight) => sight !== undefined);
  if (found.length === 0) return undefined;
  return {
    schema: oneOf(found.map(({ schema }) => schema)),
    isRequired: found.length === sights.length && found.every(({ isRequired }) => isRequired),
    isKnown: found.every(({ isKnown }) => isKnown),
  };
}

/** A schema that accepts what one of several schemas accepts. */
export function oneOf(schemas: readonly JsonSchema[]): JsonSchema {
  if (schemas.includes(true)) return true;
  const distinct = [
    ...new Map(
      schemas
        .filter((schema) => schema !== false)
        .map((schema) => [JSON.stringify(schema), schema]),
    ).values(),
  ];
  const [only = false, another] = distinct;
  if (another === undefined) return only;
  const isPlain = distinct.every(
    (schema) => isJsonObject(schema) && Object.keys(schema).join() === "type",
  );
  if (!isPlain) return { anyOf: distinct };
  return { type: [...new Set(distinct.flatMap((schema) => (schema as JsonObject)["type"] ?? []))] };
}

function unionOf(sets: readonly ReadonlySet<JsonType>[]): ReadonlySet<JsonType> {
  return new Set(sets.flatMap((set) => [...set]));
}

function intersection(
  one: ReadonlySet<JsonType>,
  other: ReadonlySet<JsonType>,
): ReadonlySet<JsonType> {
  return new Set([...one].filter((type) => other.has(type)));
}

/** The only values of a schema, if it lists them. */
function valuesOf(schema: JsonObject): JsonValue[] | undefined {
  const constant = ownValue(schema, "const");
  if (constant !== undefined) return [constant];
  const listed = ownValue(schema, "enum");
  return Array.isArray(listed) ? listed : undefined;
}

function typeOfValue(value: JsonValue): JsonType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonType);
}

/** The references in a value, wherever they stand. */
function referencesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    (key === "$ref" || key === "$dynamicRef") && typeof member === "string"
      ? [member]
      : referencesIn(member),
  );
}

function definitionsIn(value: JsonValue): string[] {
  return referencesIn(value).flatMap((reference) => {
    const parsed = parseReference(reference);
    return parsed.kind === "pointer" && parsed.pointer[1] !== undefined ? [parsed.pointer[1]] : [];
  });
}

function hasLocalReference(schema: JsonSchema): boolean {
  return referencesIn(schema).some((reference) => parseReference(reference).kind !== "shared");
}

/** True if a reference leads to the root of its schema, or below it beside the definitions. */
function refersOutside(schema: JsonSchema, definitions: string): boolean {
  return referencesIn(schema).some((reference) => {
    const parsed = parseReference(reference);
    return parsed.kind === "pointer" && parsed.pointer[0] !== definitions;
  });
}

/** A schema whose references to its root lead to the definition that holds it. Anchors are lost: they accept all. */
function movedReferences(schema: JsonSchema, definitions: string): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const copy = mapSubschemas(schema, (part) => movedReferences(part, definitions));
  const reference = ownValue(copy, "$ref") ?? ownValue(copy, "$dynamicRef");
  if (typeof reference !== "string") return copy;
  const parsed = parseReference(reference);
  if (parsed.kind === "shared") return copy;
  if (parsed.kind !== "pointer" || ownValue(copy, "$dynamicRef") !== undefined) return true;
  if (parsed.pointer[0] === definitions) return copy;
  return { ...copy, $ref: writeReference([definitions, ANSWER, ...parsed.pointer]) };
}
