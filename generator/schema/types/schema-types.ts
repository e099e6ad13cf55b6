import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { assertionsOf, nearestFirst, type Assertion } from "../assertions.js";
import { KEYWORDS } from "../keywords/index.js";
import { applyDefaults } from "./apply-defaults.js";
import type { Definition, Definitions, SchemaScope } from "./definition.js";
import { schemasOfSameValue } from "./in-place.js";
import { LevelCycles } from "./level-cycles.js";
import { Intersections } from "./type-algebra.js";
import { ANY, namedType, NEVER, type Type } from "./type-model.js";
import type { Typing } from "./typing.js";

/** The most bodies under construction at once; beyond, a named type is not expanded. */
const MAX_PENDING = 64;

/**
 * Turns schemas into types. The type of a schema is the intersection of its keywords' types; it includes every value that
 * the schema accepts.
 */
export class SchemaTypes {
  readonly definitions: Definitions;
  readonly intersections: Intersections;
  readonly #bodies = new Map<Definition, Type | "pending">();
  readonly #cycles: LevelCycles;
  #pending = 0;

  constructor(definitions: Definitions) {
    this.definitions = definitions;
    this.intersections = new Intersections((definition) => this.bodyOf(definition));
    this.#cycles = new LevelCycles(definitions);
  }

  /** The body of a named type; undefined while it is under construction, for recursive types. */
  readonly bodyOf = (definition: Definition): Type | undefined => {
    const existing = this.#bodies.get(definition);
    if (existing !== undefined) return existing === "pending" ? undefined : existing;
    if (this.#pending >= MAX_PENDING) return undefined;
    this.#bodies.set(definition, "pending");
    this.#pending++;
    const body = this.#makeBody(definition);
    this.#pending--;
    this.#bodies.set(definition, body);
    return body;
  };

  #makeBody({ schema, scope, filled }: Definition): Type {
    if (filled === undefined) return this.#read(schema, scope);
    const unfilled = this.bodyOf(filled.unfilled);
    if (unfilled === undefined) return ANY;
    return applyDefaults(unfilled, filled.defaults, this.definitions, this.bodyOf);
  }

  /** The type of a subschema, by name if references lead to it. */
  typeOf(schema: JsonSchema, scope: SchemaScope): Type {
    const path = isJsonObject(schema) ? scope.targets.get(schema) : undefined;
    if (path === undefined) return this.#read(schema, scope);
    return namedType(this.definitions.define(scope, schema, path));
  }

  #read(schema: JsonSchema, scope: SchemaScope): Type {
    if (typeof schema === "boolean") return schema ? ANY : NEVER;
    return new SchemaReading(this, schema, scope).read();
  }

  /** The type of a reference's target; any value if the reference leads back to itself for the same value. */
  typeOfReference(reference: string, scope: SchemaScope): Type {
    const target = this.definitions.referenced(scope, reference);
    if (typeof target === "boolean") return target ? ANY : NEVER;
    return this.#cycles.reachesItself(target) ? ANY : namedType(target);
  }

  /**
   * The values of a type that a schema refuses, for `not` and `else`. Removes only values that the schema certainly
   * accepts: a schema that no type expresses exactly removes nothing.
   */
  without(type: Type, schema: JsonSchema, scope: SchemaScope): Type {
    if (typeof schema === "boolean") return schema ? NEVER : type;
    return new SchemaReading(this, schema, scope).removeFrom(type);
  }
}

/** One schema, with the functions that its keywords call. */
class SchemaReading implements Typing {
  readonly #assertions: readonly Assertion[];

  constructor(
    private readonly types: SchemaTypes,
    private readonly schema: JsonObject,
    private readonly scope: SchemaScope,
  ) {
    this.#assertions = assertionsOf(schema, scope.dialect);
  }

  read(): Type {
    const assertions = nearestFirst(this.#assertions);
    const handledKeywords = new Set<string>();
    let type = ANY;
    for (const { definition, rule } of assertions) {
      const { name, typedWith: typeKeyword = name } = definition;
      if (handledKeywords.has(typeKeyword)) continue;
      handledKeywords.add(typeKeyword);
      const typeOf = KEYWORDS.get(typeKeyword)?.type;
      if (typeOf !== undefined) type = this.intersect(type, typeOf(rule, this));
    }
    for (const { definition, rule } of assertions) {
      if (definition.narrow !== undefined) type = definition.narrow(type, rule, this);
    }
    return type;
  }

  /** The type without the values that the schema accepts. */
  removeFrom(type: Type): Type {
    const constraints = this.#assertions.filter(({ definition }) => !definition.refusesNothing);
    const hasSubject = constraints.some(({ definition }) => definition.subject !== undefined);
    // Keywords for values of one type check themselves whether `type` names it.
    const excludingKeywords = hasSubject
      ? constraints.filter(({ definition }) => definition.name !== "type")
      : constraints;
    const [first] = excludingKeywords;
    if (first === undefined) return NEVER;
    const { exclude } = first.definition;
    const isShared = excludingKeywords.every(({ definition }) => definition.exclude === exclude);
    return exclude === undefined || !isShared ? type : exclude(type, first.rule, this);
  }

  beside(keyword: string): JsonValue | undefined {
    return this.#assertions.find(({ definition }) => definition.name === keyword)?.rule;
  }

  typeOf(schema: JsonSchema): Type {
    return this.types.typeOf(schema, this.scope);
  }

  typeOfReference(reference: string): Type {
    return this.types.typeOfReference(reference, this.scope);
  }

  intersect(left: Type, right: Type): Type {
    return this.types.intersections.intersect(left, right);
  }

  without(type: Type, schema: JsonSchema): Type {
    return this.types.without(type, schema, this.scope);
  }

  expandNames(type: Type): Type {
    return this.types.intersections.expandNames(type);
  }

  inPlace(): readonly (readonly Assertion[])[] {
    const { schema, scope } = this;
    return schemasOfSameValue({ schema, scope }, this.types.definitions).map((scoped) =>
      assertionsOf(scoped.schema, scoped.scope.dialect),
    );
  }
}
