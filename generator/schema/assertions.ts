import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { onceForEach } from "../model/once-for-each.js";
import type { Dialect } from "./json-schema.js";
import type { KeywordDefinition } from "./keywords/definition.js";
import { KEYWORDS } from "./keywords/index.js";

/** True for a keyword that never causes a value to be refused: an annotation, or a name for references. */
export function refusesNothing(name: string): boolean {
  return KEYWORDS.get(name)?.refusesNothing === true;
}

/** True if a schema refuses no value, since it has annotations and unknown keywords only. */
export function acceptsAll(schema: JsonSchema): boolean {
  if (!isJsonObject(schema)) return schema;
  return Object.keys(schema).every((name) => refusesNothing(name) || !KEYWORDS.has(name));
}

/** True if the TypeScript type of a schema may depend on a keyword; also true for unknown keywords. */
export function affectsTypes(name: string): boolean {
  const keyword = KEYWORDS.get(name);
  if (keyword === undefined) return true;
  const { type, typedWith, narrow, defaults, isTarget } = keyword;
  return [type, typedWith, narrow, defaults, isTarget].some((member) => member !== undefined);
}

/** A keyword that is in force in a schema, with its value. */
export interface Assertion {
  readonly definition: KeywordDefinition;
  readonly rule: JsonValue;
}

/** The keywords of a schema that are in force in a dialect, in the order of {@link KEYWORDS}. */
export function assertionsOf(schema: JsonObject, dialect: Dialect): readonly Assertion[] {
  return (dialect === "draft-07" ? ofDraft07 : ofModern)(schema);
}

const ofModern = onceForEach((schema: JsonObject) => readAssertions(schema, "2020-12"));
const ofDraft07 = onceForEach((schema: JsonObject) => readAssertions(schema, "draft-07"));

let ranks: ReadonlyMap<string, number> | undefined;

/** The position of a keyword in {@link KEYWORDS}. */
function rankOf({ name }: KeywordDefinition): number {
  ranks ??= new Map([...KEYWORDS.keys()].map((keyword, rank) => [keyword, rank]));
  return ranks.get(name) ?? 0;
}

function readAssertions(schema: JsonObject, dialect: Dialect): readonly Assertion[] {
  const isReference = dialect === "draft-07" && Object.hasOwn(schema, "$ref");
  const assertions: Assertion[] = [];
  for (const name of isReference ? ["$ref"] : Object.keys(schema)) {
    const definition = KEYWORDS.get(name);
    if (definition === undefined || !definition.dialects.includes(dialect)) continue;
    assertions.push({ definition, rule: schema[name] ?? null });
  }
  return assertions.sort((left, right) => rankOf(left.definition) - rankOf(right.definition));
}

/** Sorts the keywords: first those that apply no schema to the same value, then references, then the others. */
export const nearestFirst = onceForEach(
  (assertions: readonly Assertion[]): readonly Assertion[] => {
    const inPlace = assertions.filter(({ definition }) => definition.appliesInPlace);
    if (inPlace.length === 0) return assertions;
    return [
      ...assertions.filter(({ definition }) => !definition.appliesInPlace),
      ...inPlace.filter(({ definition }) => definition.isReference),
      ...inPlace.filter(({ definition }) => !definition.isReference),
    ];
  },
);
