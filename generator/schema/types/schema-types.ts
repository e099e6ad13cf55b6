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

/** How many bodies may wait for one another; a name past that is not opened. */
const MAX_PENDING = 64;

/**
 * Turns schemas into types: every keyword is a type of its own, and a schema the intersection of
 * its keywords' types. A type holds every value that its schema accepts.
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

  /** What a named type holds; undefined while that is being found out, which recursion can ask. */
  readonly bodyOf = (definition: Definition): Type | undefined => {
    const found = this.#bodies.get(definition);
    if (found !== undefined) return found === "pending" ? undefined : found;
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

  /** The type of a schema within another: by name where it has one. */
  typeOf(schema: JsonSchema, scope: SchemaScope): Type {
    const path = isJsonObject(schema) ? scope.targets.get(schema) : undefined;
    if (path === undefined) return this.#read(schema, scope);
    return namedType(this.definitions.define(scope, schema, path));
  }

  #read(schema: JsonSchema, scope: SchemaScope): Type {
    if (typeof schema === "boolean") return schema ? ANY : NEVER;
    return new SchemaReading(this, schema, scope).read();
  }

  /** What a reference leads to: any value where it leads back to itself. */
  typeOfReference(reference: string, scope: SchemaScope): Type {
    const target = this.definitions.referenced(scope, reference);
    if (typeof target === "boolean") return target ? ANY : NEVER;
    return this.#cycles.reachesItself(target) ? ANY : namedType(target);
  }

  /**
   * The values of a type that a schema refuses (`not`, or the way to an `else`). Only what the schema
   * surely accepts may go, so schemas that its type describes just roughly take nothing away.
   */
  without(type: Type, schema: JsonSchema, scope: SchemaScope): Type {
    if (typeof schema === "boolean") return schema ? NEVER : type;
    return new SchemaReading(this, schema, scope).takeFrom(type);
  }
}

/** One schema, as its keywords see it. */
class SchemaReading implements Typing {
  readonly #assertions: readonly Assertion[];

  constructor(
    private readonly types: SchemaTypes,
    private readonly schema: JsonObject,
    private readonly scope: SchemaScope,
  ) {
    this.#assertions = assertionsOf(schema, scope.dialect);
  }

  /** The type of the schema. */
  read(): Type {
    const assertions = nearestFirst(this.#assertions);
    const families = new Set<string>();
    let type = ANY;
    for (const { definition, rule } of assertions) {
      const { name, typedWith: family = name } = definition;
      if (families.has(family)) continue;
      families.add(family);
      const typeOf = KEYWORDS.get(family)?.type;
      if (typeOf !== undefined) type = this.both(type, typeOf(rule, this));
    }
    for (const { definition, rule } of assertions) {
      if (definition.narrow !== undefined) type = definition.narrow(type, rule, this);
    }
    return type;
  }

  /** What is left of a type without the values that the schema accepts. */
  takeFrom(type: Type): Type {
    const constraints = this.#assertions.filter(({ definition }) => !definition.refusesNothing);
    const hasSubject = constraints.some(({ definition }) => definition.subject !== undefined);
    // Keywords for values of one type read themselves whether `type` names it.
    const deciding = hasSubject
      ? constraints.filter(({ definition }) => definition.name !== "type")
      : constraints;
    const [first] = deciding;
    if (first === undefined) return NEVER;
    const { exclude } = first.definition;
    const isShared = deciding.every(({ definition }) => definition.exclude === exclude);
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

  both(left: Type, right: Type): Type {
    return this.types.intersections.both(left, right);
  }

  without(type: Type, schema: JsonSchema): Type {
    return this.types.without(type, schema, this.scope);
  }

  open(type: Type): Type {
    return this.types.intersections.open(type);
  }

  inPlace(): readonly (readonly Assertion[])[] {
    const { schema, scope } = this;
    return schemasOfSameValue({ schema, scope }, this.types.definitions).map((place) =>
      assertionsOf(place.schema, place.scope.dialect),
    );
  }
}
