import type { JsonObject, JsonValue } from "../../model/json.js";
import { writeString } from "../../text/literal.js";
import type { TypeName } from "./plain-schema.js";

/** Pieces of conditions in the code of plain validators. */

/** Where AJV names a value in the check of its type: this often. */
export const USES_OF_TYPE: Readonly<Record<TypeName, number>> = {
  null: 1,
  boolean: 1,
  string: 1,
  array: 1,
  number: 2,
  object: 3,
  integer: 4,
};

/** Whether the check of a value names it just once, which can be told without writing it. */
export function isReadOnce(schema: JsonObject): boolean {
  const { type } = schema;
  if (typeof type !== "string" || Object.keys(schema).length > 1) return false;
  return USES_OF_TYPE[type as TypeName] === 1;
}

const IDENTIFIER = /^[a-z$_][a-z$_0-9]*$/i;

export function memberOf(code: string, name: string): string {
  return IDENTIFIER.test(name) ? `${code}.${name}` : `${code}[${writeString(name)}]`;
}

export function scalar(value: JsonValue): string {
  return typeof value === "string" ? writeString(value) : String(value);
}

function joined(conditions: readonly string[]): string {
  if (!conditions.some((condition) => condition.includes("||"))) return conditions.join(" && ");
  return conditions.reduce((left, right) => `(${left}) && (${right})`);
}

/** How a measure of a value is compared with a keyword's bound, where the value is wrong. */
const COMPARISONS: Readonly<Record<string, readonly [measure: Measure, operator: string]>> = {
  maximum: ["value", ">"],
  minimum: ["value", "<"],
  exclusiveMaximum: ["value", ">="],
  exclusiveMinimum: ["value", "<="],
  maxItems: ["items", ">"],
  minItems: ["items", "<"],
  maxProperties: ["properties", ">"],
  minProperties: ["properties", "<"],
};

type Measure = keyof typeof MEASURES;

const MEASURES = {
  value: (code: string) => code,
  items: (code: string) => `${code}.length`,
  properties: (code: string) => `Object.keys(${code}).length`,
} as const;

/** The condition under which a text has more characters than a keyword allows. */
export function tooLong(code: string, bound: string): string {
  return `isLonger(${code}, ${bound})`;
}

/** The condition under which it has fewer: none, where there must be one. */
export function tooShort(code: string, bound: string): string {
  return bound === "1" ? `${code} === ""` : `isShorter(${code}, ${bound})`;
}

/** The condition under which a value breaks a keyword with a bound, and the runtime piece that it calls. */
export function breaksBound(
  keyword: string,
  code: string,
  bound: string,
): { condition: string; piece?: string } | undefined {
  const [measure, operator] = COMPARISONS[keyword] ?? [];
  if (measure !== undefined) {
    return { condition: `${MEASURES[measure](code)} ${operator} ${bound}` };
  }
  switch (keyword) {
    case "maxLength":
      return { condition: tooLong(code, bound), piece: "isLonger" };
    case "minLength":
      return bound === "1"
        ? { condition: tooShort(code, bound) }
        : { condition: tooShort(code, bound), piece: "isShorter" };
    case "multipleOf":
      return { condition: `!isMultipleOf(${code}, ${bound})`, piece: "isMultipleOf" };
    default:
      return undefined;
  }
}

export function rightType(type: TypeName, code: string): string {
  switch (type) {
    case "array":
      return `Array.isArray(${code})`;
    case "object":
      return `isRecord(${code})`;
    case "number":
      return `Number.isFinite(${code})`;
    case "integer":
      return `Number.isInteger(${code})`;
    case "null":
      return `${code} === null`;
    default:
      return `typeof ${code} === "${type}"`;
  }
}

/** The condition under which a value has none of some types. */
export function wrongType(
  types: readonly TypeName[],
  code: string,
): { condition: string; uses: number } {
  const conditions: string[] = [];
  let uses = 0;
  let others = types;
  if (types.includes("array") && types.includes("object")) {
    const isNoObject = `typeof ${code} !== "object"`;
    const isNull = types.includes("null");
    conditions.push(isNull ? isNoObject : `!${code} || ${isNoObject}`);
    uses += isNull ? 1 : 2;
    others = types.filter((type) => !["array", "object", "null"].includes(type));
  }
  if (types.includes("number")) others = others.filter((type) => type !== "integer");
  for (const type of others) {
    conditions.push(isNot(type, code));
    uses += USES_OF_TYPE[type];
  }
  return { condition: joined(conditions), uses };
}

export function isNot(type: TypeName, code: string): string {
  switch (type) {
    case "array":
    case "object":
    case "number":
    case "integer":
      return `!${rightType(type, code)}`;
    case "null":
      return `${code} !== null`;
    default:
      return `typeof ${code} !== "${type}"`;
  }
}
