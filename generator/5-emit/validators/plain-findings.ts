import type { ErrorObject } from "ajv";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { hasFormat } from "../../model/formats/format-checks.js";
import {
  allowsAll,
  isCheckedLast,
  messageFor,
  pointerSegment,
  TYPE_GROUPS,
  typesIn,
  type TypeName,
} from "./plain-schema.js";
import { countCharacters, findDuplicate, isMultipleOf } from "./runtime-pieces.js";

/** What is known of a value that a schema refuses, as AJV says it. */
export type Finding = Pick<
  ErrorObject,
  "instancePath" | "keyword" | "params" | "message" | "parentSchema"
>;

/** A validator that runs in this process. */
export interface RunningValidator {
  (value: unknown): boolean;
  errors?: Finding[] | null;
}

/** The validator of a plain schema: finds what AJV's would with all that it says. */
export function plainValidator(schema: JsonObject): RunningValidator {
  const validate: RunningValidator = (value) => {
    const findings: Finding[] = [];
    check(schema, value, "", findings);
    validate.errors = findings.length === 0 ? null : findings;
    return findings.length === 0;
  };
  return validate;
}

function check(
  schema: JsonObject,
  value: unknown,
  instancePath: string,
  findings: Finding[],
): void {
  const report: Report = (keyword, limit = schema[keyword] ?? null, params = {}, message) => {
    const text = message ?? messageFor(keyword, limit);
    findings.push({ instancePath, keyword, params, message: text, parentSchema: schema });
  };
  const types = typesIn(schema);
  const isLast = types.length === 1 && isCheckedLast(schema, types[0]);
  const isOfType = types.length === 0 || types.some((type) => hasType(value, type));
  if (!isOfType && !isLast) report("type");
  checkChoice(schema, value, report);
  for (const { type } of TYPE_GROUPS) {
    if (hasType(value, type))
      checkGroup(schema, value as JsonValue, instancePath, findings, report);
    else if (isLast && type === types[0]) report("type");
  }
}

type Report = (
  keyword: string,
  limit?: JsonValue,
  params?: Readonly<Record<string, unknown>>,
  message?: string,
) => void;

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

function checkChoice(schema: JsonObject, value: unknown, report: Report): void {
  const { const: constant, enum: choices } = schema;
  if (constant !== undefined && value !== constant) {
    report("const", constant, { allowedValue: constant });
  }
  if (Array.isArray(choices) && !choices.includes(value as JsonValue)) {
    report("enum", choices, { allowedValues: choices });
  }
}

function checkGroup(
  schema: JsonObject,
  value: JsonValue,
  path: string,
  findings: Finding[],
  report: Report,
): void {
  if (typeof value === "number") checkNumber(schema, value, report);
  else if (typeof value === "string") checkString(schema, value, report);
  else if (Array.isArray(value)) checkArray(schema, value, path, findings, report);
  else if (isJsonObject(value)) checkObject(schema, value, path, findings, report);
}

/** What a bound must be for a measure to be wrong. */
const BEYOND: Readonly<Record<string, (measure: number, bound: number) => boolean>> = {
  maximum: (measure, bound) => measure > bound,
  minimum: (measure, bound) => measure < bound,
  exclusiveMaximum: (measure, bound) => measure >= bound,
  exclusiveMinimum: (measure, bound) => measure <= bound,
};

function checkNumber(schema: JsonObject, value: number, report: Report): void {
  for (const [keyword, isBeyond] of Object.entries(BEYOND)) {
    const bound = schema[keyword];
    if (typeof bound === "number" && isBeyond(value, bound)) report(keyword);
  }
  checkFormat(schema, value, report);
  const step = schema["multipleOf"];
  if (typeof step === "number" && !isMultipleOf(value, step)) report("multipleOf");
}

function checkFormat({ format }: JsonObject, value: number | string, report: Report): void {
  if (typeof format === "string" && !hasFormat(value, format)) report("format");
}

/** Checks the bounds on how many of something there are. */
function checkCount(
  schema: JsonObject,
  [most, least]: readonly [string, string],
  count: () => number,
  report: Report,
): void {
  const { [most]: upper, [least]: lower } = schema;
  if (typeof upper === "number" && count() > upper) report(most);
  if (typeof lower === "number" && count() < lower) report(least);
}

function checkString(schema: JsonObject, value: string, report: Report): void {
  const { maxLength, pattern } = schema;
  checkCount(schema, ["maxLength", "minLength"], () => countCharacters(value), report);
  checkFormat(schema, value, report);
  if (typeof pattern !== "string") return;
  if (typeof maxLength === "number" && value.length > 2 * maxLength) return;
  if (!new RegExp(pattern, "u").test(value)) report("pattern");
}

function checkArray(
  schema: JsonObject,
  value: readonly JsonValue[],
  path: string,
  findings: Finding[],
  report: Report,
): void {
  const { items, uniqueItems } = schema;
  checkCount(schema, ["maxItems", "minItems"], () => value.length, report);
  for (const [index, item] of isChecking(items) ? value.entries() : []) {
    check(items as JsonObject, item, `${path}/${index}`, findings);
  }
  const duplicate = uniqueItems === true ? findDuplicate(value) : undefined;
  if (duplicate === undefined) return;
  const { first, repeated } = duplicate;
  const message = `must NOT have duplicate items (items ## ${first} and ${repeated} are identical)`;
  report("uniqueItems", true, { i: repeated, j: first }, message);
}

function checkObject(
  schema: JsonObject,
  value: JsonObject,
  path: string,
  findings: Finding[],
  report: Report,
): void {
  const { required, additionalProperties: others, properties = {} } = schema;
  checkCount(schema, ["maxProperties", "minProperties"], () => Object.keys(value).length, report);
  for (const name of (required ?? []) as string[]) {
    if (!isThere(value, name)) report("required", name, { missingProperty: name });
  }
  for (const name of others === undefined || others === true ? [] : Object.keys(value)) {
    if (Object.hasOwn(properties as JsonObject, name)) continue;
    if (others === false) report("additionalProperties", false, { additionalProperty: name });
    else if (isChecking(others)) check(others, value[name], path + pointerSegment(name), findings);
  }
  for (const [name, member] of Object.entries(properties as JsonObject)) {
    if (!isChecking(member) || !isThere(value, name)) continue;
    check(member, value[name], path + pointerSegment(name), findings);
  }
}

function isThere(value: JsonObject, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name);
}

function isChecking(schema: JsonValue | undefined): schema is JsonObject {
  return isJsonObject(schema) && !allowsAll(schema as JsonSchema);
}
