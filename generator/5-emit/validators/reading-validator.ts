import type { ErrorObject } from "ajv";
import { hasFormat } from "../../model/formats/format-checks.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type { PreparedSchema } from "./prepare-schema.js";
import {
  allowsAll,
  isCheckedLast,
  messageFor,
  pointerSegment,
  TYPE_GROUPS,
  typesIn,
  type TypeName,
} from "./plain-schema.js";
import { countCharacters, findDuplicate, isEqual, isMultipleOf } from "./runtime-pieces.js";
import { addAlternative, unionIssues, type Issue } from "./union-pieces.js";

/** What is known of a value that a schema refuses, as AJV says it. */
export type Finding = Pick<ErrorObject, "instancePath" | "keyword" | "params" | "message"> & {
  /** In a study, the schema with the keyword. */
  readonly parentSchema?: JsonSchema;
};

/** A validator that runs in this process. */
export interface RunningValidator {
  (value: unknown): boolean;
  errors?: Finding[] | null;
}

/**
 * What a union finds of a value that fits none of its alternatives: for `use` what callers read, for a `study` all
 * that all of its alternatives found.
 */
export type Purpose = "use" | "study";

/** A validator that reads its schema as it goes; it finds what AJV's would, with all that it says. */
export function readingValidator(prepared: PreparedSchema, purpose: Purpose): RunningValidator {
  const validate: RunningValidator = (value) => {
    const reader = new SchemaReader(prepared.targets, purpose);
    reader.check(prepared.schema, value, "");
    const { findings } = reader;
    validate.errors = findings.length === 0 ? null : findings;
    return findings.length === 0;
  };
  return validate;
}

/** What a bound must be for a measure to be wrong. */
const BEYOND: readonly (readonly [string, (measure: number, bound: number) => boolean])[] = [
  ["maximum", (measure, bound) => measure > bound],
  ["minimum", (measure, bound) => measure < bound],
  ["exclusiveMaximum", (measure, bound) => measure >= bound],
  ["exclusiveMinimum", (measure, bound) => measure <= bound],
];

class SchemaReader {
  readonly findings: Finding[] = [];

  constructor(
    private readonly targets: ReadonlyMap<string, JsonSchema>,
    private readonly purpose: Purpose,
  ) {}

  check(schema: JsonSchema, value: unknown, path: string): void {
    if (typeof schema === "boolean") {
      if (schema) return;
      const message = "boolean schema is false";
      const finding = { instancePath: path, keyword: "false schema", params: {}, message };
      this.findings.push({ ...finding, parentSchema: schema });
      return;
    }
    const types = typesIn(schema);
    const isLast = types.length === 1 && isCheckedLast(schema, types[0]);
    const isOfType = types.length === 0 || types.some((type) => hasType(value, type));
    if (!isOfType && !isLast) this.#report(schema, path, "type");
    this.#checkChoice(schema, value, path);
    this.#checkCombinations(schema, value, path);
    for (const { type } of TYPE_GROUPS) {
      if (hasType(value, type)) this.#checkGroup(schema, value as JsonValue, path);
      else if (isLast && type === types[0]) this.#report(schema, path, "type");
    }
  }

  #report(
    schema: JsonObject,
    instancePath: string,
    keyword: string,
    value: JsonValue = schema[keyword] ?? null,
    params: Readonly<Record<string, unknown>> = {},
    message = messageFor(keyword, value),
  ): void {
    this.findings.push({ instancePath, keyword, params, message, parentSchema: schema });
  }

  #checkChoice(schema: JsonObject, value: unknown, path: string): void {
    const { const: constant, enum: choices } = schema;
    if (constant !== undefined && !isEqual(value, constant)) {
      this.#report(schema, path, "const", constant, { allowedValue: constant });
    }
    if (Array.isArray(choices) && !choices.some((choice) => isEqual(value, choice))) {
      this.#report(schema, path, "enum", choices, { allowedValues: choices });
    }
  }

  #checkCombinations(schema: JsonObject, value: unknown, path: string): void {
    const { allOf, anyOf, oneOf, $ref } = schema;
    if (allOf !== undefined) {
      for (const part of allOf as JsonSchema[]) this.check(part, value, path);
    }
    if (anyOf !== undefined) this.#checkAnyOf(schema, anyOf as JsonSchema[], value, path);
    if (oneOf !== undefined) this.#checkOneOf(schema, oneOf as JsonSchema[], value, path);
    if (typeof $ref === "string") this.check(this.targets.get($ref) ?? true, value, path);
  }

  #checkAnyOf(
    schema: JsonObject,
    alternatives: readonly JsonSchema[],
    value: unknown,
    path: string,
  ): void {
    const { length: count } = this.findings;
    const tried = this.#newTrial();
    for (const alternative of alternatives) {
      if (!this.#passes(alternative, value, path, tried)) continue;
      this.findings.length = count;
      return;
    }
    this.#reportMisfit(schema, path, "anyOf", tried);
  }

  #checkOneOf(
    schema: JsonObject,
    alternatives: readonly JsonSchema[],
    value: unknown,
    path: string,
  ): void {
    const { length: count } = this.findings;
    const tried = this.#newTrial();
    const passing = alternatives.flatMap((alternative, index) =>
      this.#passes(alternative, value, path, tried) ? [index + 1] : [],
    );
    if (passing.length === 1) {
      this.findings.length = count;
    } else if (passing.length === 0) {
      this.#reportMisfit(schema, path, "oneOf", tried);
    } else {
      const passingSchemas = passing.slice(0, 2);
      const message = `must match exactly one schema in oneOf, but matches numbers ${passingSchemas.join(" and ")}`;
      this.#report(schema, path, "oneOf", null, { passingSchemas }, message);
    }
  }

  #newTrial(): Trial | undefined {
    return this.purpose === "use" ? { found: null } : undefined;
  }

  /** Whether an alternative accepts a value. What it finds else stays, or is kept for later in a trial. */
  #passes(
    alternative: JsonSchema,
    value: unknown,
    path: string,
    trial: Trial | undefined,
  ): boolean {
    const { length: count } = this.findings;
    this.check(alternative, value, path);
    if (this.findings.length === count) return true;
    if (trial !== undefined) {
      trial.found = addAlternative(trial.found, this.findings.splice(count) as Issue[], 0);
    }
    return false;
  }

  #reportMisfit(
    schema: JsonObject,
    path: string,
    keyword: "anyOf" | "oneOf",
    trial: Trial | undefined,
  ): void {
    if (trial !== undefined) {
      this.findings.push(...(unionIssues(trial.found, keyword, path).errors as Finding[]));
      return;
    }
    const [params, message] =
      keyword === "anyOf"
        ? [{}, "must match a schema in anyOf"]
        : [{ passingSchemas: null }, "must match exactly one schema in oneOf"];
    this.#report(schema, path, keyword, null, params, message);
  }

  #checkGroup(schema: JsonObject, value: JsonValue, path: string): void {
    if (typeof value === "number") this.#checkNumber(schema, value, path);
    else if (typeof value === "string") this.#checkString(schema, value, path);
    else if (Array.isArray(value)) this.#checkArray(schema, value, path);
    else if (isJsonObject(value)) this.#checkObject(schema, value, path);
  }

  #checkNumber(schema: JsonObject, value: number, path: string): void {
    for (const [keyword, isBeyond] of BEYOND) {
      const bound = schema[keyword];
      if (typeof bound === "number" && isBeyond(value, bound)) this.#report(schema, path, keyword);
    }
    this.#checkFormat(schema, value, path);
    const step = schema["multipleOf"];
    if (typeof step === "number" && !isMultipleOf(value, step)) {
      this.#report(schema, path, "multipleOf");
    }
  }

  #checkFormat(schema: JsonObject, value: number | string, path: string): void {
    const { format } = schema;
    if (typeof format === "string" && !hasFormat(value, format)) {
      this.#report(schema, path, "format");
    }
  }

  /** Checks the bounds on how many of something there are. */
  #checkCount(
    schema: JsonObject,
    [most, least]: readonly [string, string],
    path: string,
    count: () => number,
  ): void {
    const { [most]: upper, [least]: lower } = schema;
    if (typeof upper === "number" && count() > upper) this.#report(schema, path, most);
    if (typeof lower === "number" && count() < lower) this.#report(schema, path, least);
  }

  #checkString(schema: JsonObject, value: string, path: string): void {
    const { maxLength, pattern } = schema;
    this.#checkCount(schema, ["maxLength", "minLength"], path, () => countCharacters(value));
    this.#checkFormat(schema, value, path);
    if (typeof pattern !== "string") return;
    if (typeof maxLength === "number" && value.length > 2 * maxLength) return;
    if (!new RegExp(pattern, "u").test(value)) this.#report(schema, path, "pattern");
  }

  #checkArray(schema: JsonObject, value: readonly JsonValue[], path: string): void {
    const { items, uniqueItems } = schema;
    this.#checkCount(schema, ["maxItems", "minItems"], path, () => value.length);
    if (isChecking(items)) {
      for (const [index, item] of value.entries()) this.check(items, item, `${path}/${index}`);
    }
    const duplicate = uniqueItems === true ? findDuplicate(value) : undefined;
    if (duplicate === undefined) return;
    const { first, repeated } = duplicate;
    const message = `must NOT have duplicate items (items ## ${first} and ${repeated} are identical)`;
    this.#report(schema, path, "uniqueItems", true, { i: repeated, j: first }, message);
  }

  #checkObject(schema: JsonObject, value: JsonObject, path: string): void {
    const { required = [], additionalProperties = true, properties = {} } = schema;
    const described = properties as JsonObject;
    this.#checkCount(
      schema,
      ["maxProperties", "minProperties"],
      path,
      () => Object.keys(value).length,
    );
    for (const name of required as string[]) {
      if (isThere(value, name)) continue;
      this.#report(schema, path, "required", name, { missingProperty: name });
    }
    if (isChecking(additionalProperties)) {
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(described, name)) this.#checkOther(schema, name, value[name], path);
      }
    }
    for (const [name, member] of Object.entries(described)) {
      if (!isChecking(member) || !isThere(value, name)) continue;
      this.check(member, value[name], path + pointerSegment(name));
    }
  }

  /** Checks a property that is not described. */
  #checkOther(schema: JsonObject, name: string, value: unknown, path: string): void {
    const others = schema["additionalProperties"] as JsonSchema;
    if (others !== false) this.check(others, value, path + pointerSegment(name));
    else this.#report(schema, path, "additionalProperties", false, { additionalProperty: name });
  }
}

/** What the alternatives of a union found that were tried. */
interface Trial {
  found: (readonly Issue[])[] | null;
}

function hasType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isThere(value: JsonObject, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name);
}

function isChecking(schema: JsonValue | undefined): schema is JsonSchema {
  return schema === false || (isJsonObject(schema) && !allowsAll(schema));
}
