import { Validator, type OutputUnit, type Schema as ValidatorSchema } from "@cfworker/json-schema";
import { texts } from "../texts.js";
import { hasLongText, withoutPatterns } from "./long-texts.js";
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
const wrapperKeywords: ReadonlySet<string> = new Set([
  ...["properties", "additionalProperties", "patternProperties", "items", "prefixItems"],
  ...["$ref", "allOf", "if", "then", "else", "dependentSchemas", "unevaluatedProperties"],
]);

/** Locations in alternatives. The input of the chosen alternative reports these errors. */
const alternativeLocation = /\/(?:anyOf|oneOf)\/\d+(?:\/|$)/;

/** Validates values by a schema while they are entered. */
export class FormValidator {
  readonly #validator: Validator | undefined;
  /** Validates values with texts that are too long for patterns. Only the server matches such texts. */
  readonly #longTextValidator: Validator | undefined;

  /** @param root The schema that contains the targets of references in `schema`. */
  constructor(schema: Schema, root: Schema = schema) {
    try {
      const draft = /draft-0[4-7]/.test(String(root["$schema"] ?? "")) ? "7" : "2020-12";
      const { $defs = {}, definitions = {} } = root;
      const fullSchema = { $defs, definitions, ...schema } as ValidatorSchema;
      this.#validator = new Validator(fullSchema, draft, false);
      this.#longTextValidator = new Validator(
        withoutPatterns(fullSchema) as ValidatorSchema,
        draft,
        false,
      );
    } catch {
      // Only the server can validate by this schema.
      this.#validator = undefined;
      this.#longTextValidator = undefined;
    }
  }

  /** Whether the value is valid. False if the schema cannot be used. */
  accepts(value: unknown): boolean {
    try {
      return this.#validatorFor(value)?.validate(value).valid ?? false;
    } catch {
      return false;
    }
  }

  /** Validates a value. @param base The JSON pointer of the value in the form. */
  problemsOf(value: unknown, base = ""): Problems {
    const problems = new Map<string, Problem>();
    for (const { instanceLocation, keyword, error } of this.#errorsOf(value)) {
      const missing = keyword === "required" ? missingMember(error) : undefined;
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
          !wrapperKeywords.has(keyword) && !alternativeLocation.test(keywordLocation),
      );
    } catch {
      return [];
    }
  }
}

/** Returns the name in the validator's message `Instance does not have required property "name".` */
function missingMember(error: string): string | undefined {
  return /required property "(.*)"\.$/s.exec(error)?.[1];
}

/** The JSON pointer of a member or an element, in the form of the validator. */
export function memberPointer(pointer: string, part: string | number): string {
  const escaped = String(part).replaceAll("~", "~0").replaceAll("/", "~1");
  return `${pointer}/${encodeURI(escaped.toWellFormed()).replaceAll("#", "%23")}`;
}

/** The text about a problem for the user. @param schema The resolved schema of the field. */
export function problemText({ keyword, error }: Problem, schema: Schema): string {
  if (keyword === "required") return texts.isRequired;
  const describe = constraintText(keyword);
  return describe === undefined || !Object.hasOwn(schema, keyword)
    ? error
    : texts.expected(describe(schema[keyword]));
}

/** The function that describes a constraint of this keyword; undefined if the page has no text for it. */
function constraintText(keyword: string): ((value: unknown) => string) | undefined {
  const descriptions: Readonly<Record<string, (value: unknown) => string>> = texts.constraints;
  return Object.hasOwn(descriptions, keyword) ? descriptions[keyword] : undefined;
}

/** The texts of the constraints of a resolved schema. */
export function constraintsOf(schema: Schema): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const isShownElsewhere = ["type", "const", "format"].includes(keyword) || value === false;
    const describe = isShownElsewhere ? undefined : constraintText(keyword);
    return describe === undefined ? [] : [describe(value)];
  });
}
