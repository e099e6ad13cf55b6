import type { ErrorObject } from "ajv";
import { hasFormat } from "../../schema/formats/format-checks.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isLonger, isShorter } from "../../../templates/validators/checks.js";
import { findDuplicate, isEqual, isMultipleOf } from "../../../templates/validators/values.js";
import { unionIssues } from "../../../templates/validators/unions.js";
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

/** What an alternative found. */
type Issue = Parameters<typeof unionIssues>[0][number][number];

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
    const findings = findingsAt(prepared, prepared.schema, value, "", purpose);
    validate.errors = findings.length === 0 ? null : findings;
    return findings.length === 0;
  };
  return validate;
}

/**
 * What a part of a schema finds of what stands at its place in a value.
 *
 * @param schema the prepared part
 * @param path JSON pointer of the place
 */
export function findingsAt(
  { targets }: PreparedSchema,
  schema: JsonSchema,
  value: unknown,
  path: string,
  purpose: Purpose,
): Finding[] {
  const reader = new SchemaReader(targets, purpose, path);
  reader.check(schema, value);
  return reader.findings;
}

class SchemaReader {
  readonly findings: Finding[] = [];
  /** The names and indexes that lead to the value that is being checked. */
  readonly #steps: (string | number)[] = [];

  constructor(
    private readonly targets: ReadonlyMap<string, JsonSchema>,
    private readonly purpose: Purpose,
    private readonly start: string,
  ) {}

  check(schema: JsonSchema, value: unknown): void {
    if (typeof schema === "boolean") {
      if (!schema) this.#reportFalse(schema);
      return;
    }
    const { type } = schema;
    if (type !== undefined && !isOfType(value, type)) {
      this.#checkMistyped(schema, value);
      return;
    }
    this.#checkChoice(schema, value);
    this.#checkCombinations(schema, value);
    this.#checkGroup(schema, value);
  }

  /** Checks a value that has none of the types of its schema. */
  #checkMistyped(schema: JsonObject, value: unknown): void {
    const types = typesIn(schema);
    const isLast = types.length === 1 && isCheckedLast(schema, types[0]);
    if (!isLast) this.#report(schema, "type");
    this.#checkChoice(schema, value);
    this.#checkCombinations(schema, value);
    for (const { type } of TYPE_GROUPS) {
      if (hasType(value, type)) this.#checkGroup(schema, value);
      else if (isLast && type === types[0]) this.#report(schema, "type");
    }
  }

  #checkMember(schema: JsonSchema, value: unknown, step: string | number): void {
    this.#steps.push(step);
    this.check(schema, value);
    this.#steps.pop();
  }

  get #path(): string {
    let path = this.start;
    for (const step of this.#steps) path += pointerSegment(String(step));
    return path;
  }

  #reportFalse(schema: JsonSchema): void {
    const message = "boolean schema is false";
    const finding = { instancePath: this.#path, keyword: "false schema", params: {}, message };
    this.findings.push({ ...finding, parentSchema: schema });
  }

  #report(
    schema: JsonObject,
    keyword: string,
    value: JsonValue = schema[keyword] ?? null,
    params: Readonly<Record<string, unknown>> = {},
    message = messageFor(keyword, value),
  ): void {
    const instancePath = this.#path;
    this.findings.push({ instancePath, keyword, params, message, parentSchema: schema });
  }

  #checkChoice(schema: JsonObject, value: unknown): void {
    const { const: constant, enum: choices } = schema;
    if (constant === undefined && choices === undefined) return;
    if (constant !== undefined && !isEqual(value, constant)) {
      this.#report(schema, "const", constant, { allowedValue: constant });
    }
    if (Array.isArray(choices) && !choices.some((choice) => isEqual(value, choice))) {
      this.#report(schema, "enum", choices, { allowedValues: choices });
    }
  }

  #checkCombinations(schema: JsonObject, value: unknown): void {
    const { allOf, anyOf, oneOf, $ref } = schema;
    if (allOf !== undefined) {
      for (const part of allOf as JsonSchema[]) this.check(part, value);
    }
    if (anyOf !== undefined) this.#checkAnyOf(schema, anyOf as JsonSchema[], value);
    if (oneOf !== undefined) this.#checkOneOf(schema, oneOf as JsonSchema[], value);
    if (typeof $ref === "string") this.check(this.targets.get($ref) ?? true, value);
  }

  #checkAnyOf(schema: JsonObject, alternatives: readonly JsonSchema[], value: unknown): void {
    const { length: count } = this.findings;
    const tried = this.#newTrial();
    for (const alternative of alternatives) {
      if (!this.#passes(alternative, value, tried)) continue;
      this.findings.length = count;
      return;
    }
    this.#reportMisfit(schema, "anyOf", tried);
  }

  #checkOneOf(schema: JsonObject, alternatives: readonly JsonSchema[], value: unknown): void {
    const { length: count } = this.findings;
    const tried = this.#newTrial();
    const passing = alternatives.flatMap((alternative, index) =>
      this.#passes(alternative, value, tried) ? [index + 1] : [],
    );
    if (passing.length === 1) {
      this.findings.length = count;
    } else if (passing.length === 0) {
      this.#reportMisfit(schema, "oneOf", tried);
    } else {
      const passingSchemas = passing.slice(0, 2);
      const message = `must match exactly one schema in oneOf, but matches numbers ${passingSchemas.join(" and ")}`;
      this.#report(schema, "oneOf", null, { passingSchemas }, message);
    }
  }

  #newTrial(): Trial | undefined {
    return this.purpose === "use" ? { found: [] } : undefined;
  }

  /** Whether an alternative accepts a value. What it finds else stays, or is kept for later in a trial. */
  #passes(alternative: JsonSchema, value: unknown, trial: Trial | undefined): boolean {
    const { length: count } = this.findings;
    this.check(alternative, value);
    if (this.findings.length === count) return true;
    trial?.found.push(this.findings.splice(count) as Issue[]);
    return false;
  }

  #reportMisfit(schema: JsonObject, keyword: "anyOf" | "oneOf", trial: Trial | undefined): void {
    if (trial !== undefined) {
      this.findings.push(...(unionIssues(trial.found, keyword, this.#path) as readonly Finding[]));
      return;
    }
    const [params, message] =
      keyword === "anyOf"
        ? [{}, "must match a schema in anyOf"]
        : [{ passingSchemas: null }, "must match exactly one schema in oneOf"];
    this.#report(schema, keyword, null, params, message);
  }

  /** Checks the keywords that are about values of this type. */
  #checkGroup(schema: JsonObject, value: unknown): void {
    if (typeof value === "string") this.#checkString(schema, value);
    else if (Number.isFinite(value)) this.#checkNumber(schema, value as number);
    else if (Array.isArray(value)) this.#checkArray(schema, value);
    else if (isJsonObject(value)) this.#checkObject(schema, value);
  }

  #checkNumber(schema: JsonObject, value: number): void {
    const { maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf } = schema;
    if (typeof maximum === "number" && value > maximum) this.#report(schema, "maximum");
    if (typeof minimum === "number" && value < minimum) this.#report(schema, "minimum");
    if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) {
      this.#report(schema, "exclusiveMaximum");
    }
    if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) {
      this.#report(schema, "exclusiveMinimum");
    }
    this.#checkFormat(schema, value);
    if (typeof multipleOf === "number" && !isMultipleOf(value, multipleOf)) {
      this.#report(schema, "multipleOf");
    }
  }

  #checkFormat(schema: JsonObject, value: number | string): void {
    const { format } = schema;
    if (typeof format === "string" && !hasFormat(value, format)) this.#report(schema, "format");
  }

  #checkString(schema: JsonObject, value: string): void {
    const { maxLength, minLength, pattern } = schema;
    if (typeof maxLength === "number" && isLonger(value, maxLength)) {
      this.#report(schema, "maxLength");
    }
    if (typeof minLength === "number" && isShorter(value, minLength)) {
      this.#report(schema, "minLength");
    }
    this.#checkFormat(schema, value);
    if (typeof pattern !== "string") return;
    if (typeof maxLength === "number" && value.length > 2 * maxLength) return;
    if (!new RegExp(pattern, "u").test(value)) this.#report(schema, "pattern");
  }

  #checkArray(schema: JsonObject, value: readonly JsonValue[]): void {
    const { maxItems, minItems, items, uniqueItems } = schema;
    if (typeof maxItems === "number" && value.length > maxItems) this.#report(schema, "maxItems");
    if (typeof minItems === "number" && value.length < minItems) this.#report(schema, "minItems");
    if (isChecking(items)) {
      for (const [index, item] of value.entries()) this.#checkMember(items, item, index);
    }
    const duplicate = uniqueItems === true ? findDuplicate(value) : undefined;
    if (duplicate === undefined) return;
    const { first, repeated } = duplicate;
    const message = `must NOT have duplicate items (items ## ${first} and ${repeated} are identical)`;
    this.#report(schema, "uniqueItems", true, { i: repeated, j: first }, message);
  }

  #checkObject(schema: JsonObject, value: JsonObject): void {
    const { required, additionalProperties, properties } = schema;
    this.#checkPropertyCount(schema, value);
    if (required !== undefined) this.#checkRequired(schema, required as string[], value);
    if (isChecking(additionalProperties)) {
      for (const name of Object.keys(value)) {
        if (isJsonObject(properties) && Object.hasOwn(properties, name)) continue;
        this.#checkOther(schema, name, value[name]);
      }
    }
    if (!isJsonObject(properties)) return;
    for (const name of Object.keys(properties)) {
      const member = properties[name];
      if (isChecking(member) && isThere(value, name)) this.#checkMember(member, value[name], name);
    }
  }

  #checkPropertyCount(schema: JsonObject, value: JsonObject): void {
    const { maxProperties, minProperties } = schema;
    if (maxProperties === undefined && minProperties === undefined) return;
    const count = Object.keys(value).length;
    if (typeof maxProperties === "number" && count > maxProperties) {
      this.#report(schema, "maxProperties");
    }
    if (typeof minProperties === "number" && count < minProperties) {
      this.#report(schema, "minProperties");
    }
  }

  #checkRequired(schema: JsonObject, required: readonly string[], value: JsonObject): void {
    for (const name of required) {
      if (isThere(value, name)) continue;
      this.#report(schema, "required", name, { missingProperty: name });
    }
  }

  /** Checks a property that is not described. */
  #checkOther(schema: JsonObject, name: string, value: unknown): void {
    const others = schema["additionalProperties"] as JsonSchema;
    if (others !== false) this.#checkMember(others, value, name);
    else this.#report(schema, "additionalProperties", false, { additionalProperty: name });
  }
}

/** What the alternatives of a union found that were tried. */
interface Trial {
  readonly found: (readonly Issue[])[];
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

function isOfType(value: unknown, type: JsonValue): boolean {
  if (!Array.isArray(type)) return hasType(value, type as TypeName);
  // No type at all is none that is missing.
  return type.length === 0 || type.some((one) => hasType(value, one as TypeName));
}

function isThere(value: JsonObject, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name);
}

function isChecking(schema: JsonValue | undefined): schema is JsonSchema {
  return schema === false || (isJsonObject(schema) && !allowsAll(schema));
}
