import { Validator, type OutputUnit, type Schema as ValidatorSchema } from "@cfworker/json-schema";
import { texts } from "../texts.js";
import { hasLongText, withoutMatching } from "./long-texts.js";
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

/** Below a choice of schemas: who has chosen one judges by that one. */
const belowChoice = /\/(?:anyOf|oneOf)\/\d+(?:\/|$)/;

/** Judges values by one schema, while they are typed. */
export class Judge {
  readonly #validator: Validator | undefined;
  /** Judges values with texts that are too long for patterns, which the server alone holds against them. */
  readonly #ofLongTexts: Validator | undefined;

  /** @param root what the references of the schema lead into */
  constructor(schema: Schema, root: Schema = schema) {
    try {
      const draft = /draft-0[4-7]/.test(String(root["$schema"] ?? "")) ? "7" : "2020-12";
      const { $defs = {}, definitions = {} } = root;
      const whole = { $defs, definitions, ...schema } as ValidatorSchema;
      this.#validator = new Validator(whole, draft, false);
      this.#ofLongTexts = new Validator(withoutMatching(whole) as ValidatorSchema, draft, false);
    } catch {
      // The server judges by a schema that this page cannot read.
      this.#validator = undefined;
      this.#ofLongTexts = undefined;
    }
  }

  accepts(value: unknown): boolean {
    try {
      return this.#validatorFor(value)?.validate(value).valid ?? false;
    } catch {
      return false;
    }
  }

  /** @param at the place of the value */
  problemsOf(value: unknown, at = ""): Problems {
    const problems = new Map<string, Problem>();
    for (const { instanceLocation, keyword, error } of this.#errorsOf(value)) {
      const missing = keyword === "required" ? missingIn(error) : undefined;
      const place = at + instanceLocation.slice(1);
      const of = missing === undefined ? place : placeIn(place, missing);
      if (!problems.has(of)) problems.set(of, { keyword, error });
    }
    return problems;
  }

  #validatorFor(value: unknown): Validator | undefined {
    return hasLongText(value) ? this.#ofLongTexts : this.#validator;
  }

  #errorsOf(value: unknown): readonly OutputUnit[] {
    try {
      const { errors } = this.#validatorFor(value)?.validate(value) ?? { errors: [] };
      return errors.filter(
        ({ keyword, keywordLocation }) =>
          !wrapping.has(keyword) && !belowChoice.test(keywordLocation),
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
  return `${place}/${encodeURI(escaped.toWellFormed()).replaceAll("#", "%23")}`;
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
function constraintWords(keyword: string): ((value: unknown) => string) | undefined {
  const words: Readonly<Record<string, (value: unknown) => string>> = texts.constraints;
  return Object.hasOwn(words, keyword) ? words[keyword] : undefined;
}

/** All constraints of a resolved schema that the page has words for. */
export function constraintsOf(schema: Schema): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const isSaid = ["type", "const", "format"].includes(keyword) || value === false;
    const say = isSaid ? undefined : constraintWords(keyword);
    return say === undefined ? [] : [say(value)];
  });
}
