import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { isJsonSchema } from "../json-schema.js";
import { applyDefaults } from "./apply-defaults.js";
import type { Definition, Definitions, SchemaScope } from "./definition.js";
import { exclude } from "./exclude.js";
import { evaluatedProperties } from "./evaluated-properties.js";
import { KeywordReader } from "./keyword-reader.js";
import { LevelCycles } from "./level-cycles.js";
import { onlyProperties } from "./object-keywords.js";
import { choiceTypes, ownTypes } from "./own-types.js";
import { chooseAmong, Intersections, union } from "./type-algebra.js";
import {
  ANY,
  ANY_OBJECT,
  namedType,
  NEVER,
  objectType,
  type ObjectType,
  type Type,
} from "./type-model.js";

/** How many bodies may wait for one another; a name past that is not opened. */
const MAX_PENDING = 64;
/** How many dependencies between properties are told: each doubles the ways in which an object may be. */
const MAX_DEPENDENCIES = 6;

/** The keywords beside those that {@link ownTypes} reads: most schemas have none of them. */
const COMBINING: ReadonlySet<string> = new Set(
  "$ref $dynamicRef allOf anyOf oneOf dependentRequired dependentSchemas dependencies unevaluatedProperties if not".split(
    " ",
  ),
);

/**
 * Turns schemas into types: every keyword is a type of its own, and a schema the intersection of
 * its keywords' types. A type holds every value that its schema accepts.
 */
export class SchemaTypes {
  readonly #definitions: Definitions;
  readonly #bodies = new Map<Definition, Type | "pending">();
  readonly #cycles: LevelCycles;
  readonly #intersections: Intersections;
  #pending = 0;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
    this.#cycles = new LevelCycles(definitions);
    this.#intersections = new Intersections((definition) => this.bodyOf(definition));
  }

  /** What a named type holds; undefined while that is being found out, which recursion can ask. */
  readonly bodyOf = (definition: Definition): Type | undefined => {
    const known = this.#bodies.get(definition);
    if (known !== undefined) return known === "pending" ? undefined : known;
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
    const plain = this.bodyOf(filled.plain);
    if (plain === undefined) return ANY;
    return applyDefaults(plain, filled.defaults, this.#definitions, this.bodyOf);
  }

  /** The type of a schema within another: by name where it has one. */
  #typeOf(schema: JsonSchema, scope: SchemaScope): Type {
    const path = isJsonObject(schema) ? scope.targets.get(schema) : undefined;
    if (path === undefined) return this.#read(schema, scope);
    return namedType(this.#definitions.define(scope, schema, path));
  }

  #read(schema: JsonSchema, scope: SchemaScope): Type {
    if (typeof schema === "boolean") return schema ? ANY : NEVER;
    const keywords = new KeywordReader(schema, scope.dialect);
    const typeOf = (inner: JsonSchema): Type => this.#typeOf(inner, scope);
    const own = ownTypes(keywords, typeOf);
    if (!Object.keys(schema).some((name) => COMBINING.has(name))) return this.#allOf(own);
    const conjuncts = [
      ...own,
      ...this.#referencedTypes(keywords, scope),
      ...keywords.schemas("allOf").map(typeOf),
      ...choiceTypes(keywords, typeOf),
      ...this.#dependencies(keywords, scope),
      this.#evaluatedOnly(schema, keywords, scope),
    ];
    const type = this.#allOf(conjuncts);
    return this.#withoutRefused(this.#conditional(type, keywords, scope), keywords, scope);
  }

  #allOf(types: readonly Type[]): Type {
    return types.reduce((left, right) => this.#both(left, right), ANY);
  }

  #both(left: Type, right: Type): Type {
    return this.#intersections.both(left, right);
  }

  #referencedTypes(keywords: KeywordReader, scope: SchemaScope): Type[] {
    return ["$ref", "$dynamicRef"].flatMap((name) => {
      const reference = keywords.string(name);
      return reference === undefined ? [] : this.#referenced(reference, scope);
    });
  }

  #referenced(reference: string, scope: SchemaScope): Type {
    const target = this.#definitions.referenced(scope, reference);
    if (typeof target === "boolean") return target ? ANY : NEVER;
    return this.#cycles.reachesItself(target) ? ANY : namedType(target);
  }

  /** `dependentRequired`, `dependentSchemas` and draft-07's `dependencies`: without the property, or with all it asks for. */
  #dependencies(keywords: KeywordReader, scope: SchemaScope): Type[] {
    const all = ["dependentRequired", "dependentSchemas", "dependencies"].flatMap((name) => {
      const map = keywords.value(name);
      return Object.entries(isJsonObject(map) ? map : {});
    });
    return all.slice(0, MAX_DEPENDENCIES).map(([key, asked]) => {
      const schema = Array.isArray(asked) ? { required: asked } : asked;
      return isJsonSchema(schema) ? this.#dependency(key, schema, scope) : ANY;
    });
  }

  #dependency(key: string, schema: JsonSchema, scope: SchemaScope): Type {
    const asked = this.#typeOf(schema, scope);
    if (asked === ANY) return ANY;
    const fulfilled = this.#both(objectType(requiring(key)), asked);
    const absent = {
      ...ANY_OBJECT,
      properties: new Map([[key, { type: NEVER, required: false }]]),
    };
    return union([{ ...ANY, objects: [absent] }, fulfilled]);
  }

  #evaluatedOnly(schema: JsonObject, keywords: KeywordReader, scope: SchemaScope): Type {
    const unevaluated = keywords.schema("unevaluatedProperties");
    if (unevaluated === undefined) return ANY;
    const names = evaluatedProperties(schema, scope, this.#definitions);
    if (names === "all") return ANY;
    const object = onlyProperties(names, this.#typeOf(unevaluated, scope));
    return { ...ANY, objects: [object] };
  }

  #conditional(type: Type, keywords: KeywordReader, scope: SchemaScope): Type {
    const condition = keywords.schema("if");
    if (condition === undefined) return type;
    const branch = (name: string): Type => this.#typeOf(keywords.schema(name) ?? true, scope);
    const met = this.#both(type, this.#typeOf(condition, scope));
    const held = this.#both(met, branch("then"));
    const otherwise = this.#both(type, branch("else"));
    const unmet = this.#exclude(otherwise, condition, scope);
    if (unmet === type) return type;
    const all = union([held, unmet]);
    const [base, ...others] = type.objects;
    const isOne = base !== undefined && others.length === 0;
    return isOne ? { ...all, objects: chooseAmong(base, all.objects) } : all;
  }

  #withoutRefused(type: Type, keywords: KeywordReader, scope: SchemaScope): Type {
    const refused = keywords.schema("not");
    return refused === undefined ? type : this.#exclude(type, refused, scope);
  }

  #exclude(type: Type, schema: JsonSchema, scope: SchemaScope): Type {
    const typeOf = (inner: JsonSchema): Type => this.#typeOf(inner, scope);
    return exclude(type, schema, { scope, intersections: this.#intersections, typeOf });
  }
}

const requiring = (key: string): ObjectType => ({
  ...ANY_OBJECT,
  properties: new Map([[key, { type: ANY, required: true }]]),
});
