import { Validator, type OutputUnit, type Schema as ValidatorSchema } from "@cfworker/json-schema";
import { texts } from "../texts.js";
import type { Schema } from "./schema.js";

/** What is wrong with a value. */
export interface Problem {
  readonly keyword: string;
  /** The words of the validator. */
  readonly error: string;
}

/** The first problem of each value, by its place: a JSON pointer. */
export type Problems = ReadonlyMap<string, Problem>;

/** Keywords that only say that something below them is wrong. */
const wrapping: ReadonlySet<string> = new Set([
  ...["properties", "additionalProperties", "patternProperties", "items", "prefixItems"],
  ...["$ref", "allOf", "if", "then", "else", "dependentSchemas", "unevaluatedProperties"],
]);

/** Below a choice of schemas for all arguments, of which no field says which one is meant. */
const belowRootChoice = /^#(?:\/allOf\/\d+)*\/(?:anyOf|oneOf)\/./;

/** Judges values by one schema, while they are typed. */
export class Judge {
  readonly #validator: Validator | undefined;

  constructor(schema: Schema) {
    try {
      const dialect = String(schema["$schema"] ?? "");
      const draft = /draft-0[4-7]/.test(dialect) ? "7" : "2020-12";
      this.#validator = new Validator(schema as ValidatorSchema, draft, false);
    } catch {
      // The server judges by a schema that this page cannot read.
      this.#validator = undefined;
    }
  }

  problemsOf(value: unknown): Problems {
    const problems = new Map<string, Problem>();
    for (const { instanceLocation, keyword, error } of this.#errorsOf(value)) {
      const missing = keyword === "required" ? missingIn(error) : undefined;
      const place = instanceLocation.slice(1);
      const of = missing === undefined ? place : placeIn(place, missing);
      if (!problems.has(of)) problems.set(of, { keyword, error });
    }
    return problems;
  }

  #errorsOf(value: unknown): readonly OutputUnit[] {
    if (this.#validator === undefined) return [];
    try {
      const { errors } = this.#validator.validate(value);
      return errors.filter(
        ({ keyword, keywordLocation }) =>
          !wrapping.has(keyword) && !belowRootChoice.test(keywordLocation),
      );
    } catch {
      return [];
    }
  }
}

/** The name in the validator's `Instance does not have required property "name".` */
function missingIn(error: string): string | undefined {
  return /required property "(.*)"\.$/s.exec(error)?.[1];
}

/** The place of a member or an element, as the validator writes it. */
export function placeIn(place: string, part: string | number): string {
  const escaped = String(part).replaceAll("~", "~0").replaceAll("/", "~1");
  return `${place}/${encodeURI(escaped).replaceAll("#", "%23")}`;
}

/** What a person reads beside the field of a resolved schema. */
export function wordsOf({ keyword, error }: Problem, schema: Schema): string {
  if (keyword === "required") return texts.isRequired;
  const say = constraintWords(keyword);
  return say === undefined || !Object.hasOwn(schema, keyword)
    ? error
    : texts.wanted(say(schema[keyword]));
}

/** The words for a constraint, where the page has some. */
export function constraintWords(keyword: string): ((value: unknown) => string) | undefined {
  const words: Readonly<Record<string, (value: unknown) => string>> = texts.constraints;
  return Object.hasOwn(words, keyword) ? words[keyword] : undefined;
}
