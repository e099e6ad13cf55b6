import { Validator, type OutputUnit, type Schema as ValidatorSchema } from "@cfworker/json-schema";
import { texts } from "../texts.js";
import { hasLongText, withoutMatching } from "./long-texts.js";
import type { Schema } from "./schema.js";

/** A problem of a value. */
export interface Problem {
  readonly keyword: string;
  /** The message of the validator. */
  readonly error: string;
}

/** The first problem of each value, by the JSON pointer of the value. */
export type Problems = ReadonlyMap<string, Problem>;

/** Keywords whose errors only report that a schema within them has an error. */
const wrapping: ReadonlySet<string> = new Set([
  ...["properties", "additionalProperties", "patternProperties", "items", "prefixItems"],
  ...["$ref", "allOf", "if", "then", "else", "dependentSchemas", "unevaluatedProperties"],
]);

/** Locations in alternatives. The input of the chosen alternative reports these errors. */
const inAlternative = /\/(?:anyOf|oneOf)\/\d+(?:\/|$)/;

/** Validates values by a schema while they are entered. */
export class FormValidator {
  readonly #validator: Validator | undefined;
  /** Validates values with texts that are too long for patterns. Only the server matches such texts. */
  readonly #longTextValidator: Validator | undefined;

  /** @param root the schema that references of `schema` refer to */
  constructor(schema: Schema, root: Schema = schema) {
    try {
      const draft = /draft-0[4-7]/.test(String(root["$schema"] ?? "")) ? "7" : "2020-12";
      const { $defs = {}, definitions = {} } = root;
      const whole = { $defs, definitions, ...schema } as ValidatorSchema;
      this.#validator = new Validator(whole, draft, false);
      this.#longTextValidator = new Validator(
        withoutMatching(whole) as ValidatorSchema,
        draft,
        false,
      );
    } catch {
      // Only the server can validate by this schema.
      this.#validator = undefined;
      this.#longTextValidator = undefined;
    }
  }

  accepts(value: unknown): boolean {
    try {
      return this.#validatorFor(value)?.validate(value).valid ?? false;
    } catch {
      return false;
    }
  }

  /** @param base the JSON pointer of the value */
  problemsOf(value: unknown, base = ""): Problems {
    const problems = new Map<string, Problem>();
    for (const { instanceLocation, keyword, error } of this.#errorsOf(value)) {
      const missing = keyword === "required" ? missingIn(error) : undefined;
      const location = base + instanceLocation.slice(1);
      const pointer = missing === undefined ? location : memberPointer(location, missing);
      if (!problems.has(pointer)) problems.set(pointer, { keyword, error });
    }
    return problems;
  }

  #validatorFor(value: unknown): Validator | undefined {
    return hasLongText(value) ? this.#longTextValidator : this.#validator;
  }

  #errorsOf(value: unknown): readonly OutputUnit[] {
    try {
      const { errors } = this.#validatorFor(value)?.validate(value) ?? { errors: [] };
      return errors.filter(
        ({ keyword, keywordLocation }) =>
          !wrapping.has(keyword) && !inAlternative.test(keywordLocation),
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

/** The JSON pointer of a member or an element, in the form of the validator. */
export function memberPointer(pointer: string, part: string | number): string {
  const escaped = String(part).replaceAll("~", "~0").replaceAll("/", "~1");
  return `${pointer}/${encodeURI(escaped.toWellFormed()).replaceAll("#", "%23")}`;
}

/** The text about a problem for the user. @param schema the resolved schema of the field */
export function problemText({ keyword, error }: Problem, schema: Schema): string {
  if (keyword === "required") return texts.isRequired;
  const describe = constraintText(keyword);
  return describe === undefined || !Object.hasOwn(schema, keyword)
    ? error
    : texts.expected(describe(schema[keyword]));
}

/** The function that describes a constraint of this keyword; undefined if the page has no text for it. */
function constraintText(keyword: string): ((value: unknown) => string) | undefined {
  const words: Readonly<Record<string, (value: unknown) => string>> = texts.constraints;
  return Object.hasOwn(words, keyword) ? words[keyword] : undefined;
}

/** The texts of the constraints of a resolved schema. */
export function constraintsOf(schema: Schema): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const isShownElsewhere = ["type", "const", "format"].includes(keyword) || value === false;
    const describe = isShownElsewhere ? undefined : constraintText(keyword);
    return describe === undefined ? [] : [describe(value)];
  });
}
