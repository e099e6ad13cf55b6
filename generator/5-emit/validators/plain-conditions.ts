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

export function joined(conditions: readonly string[], operator: "||" | "&&"): string {
  return conditions.reduce((left, right) => `(${left}) ${operator} (${right})`);
}

export function rightType(type: TypeName, code: string): string {
  switch (type) {
    case "array":
      return `Array.isArray(${code})`;
    case "object":
      return `${code} && typeof ${code} == "object" && !Array.isArray(${code})`;
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
    const isNoObject = `typeof ${code} != "object"`;
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
  return { condition: joined(conditions, "&&"), uses };
}

function isNot(type: TypeName, code: string): string {
  switch (type) {
    case "array":
    case "object":
      return `!(${rightType(type, code)})`;
    case "number":
    case "integer":
      return `!${rightType(type, code)}`;
    case "null":
      return `${code} !== null`;
    default:
      return `typeof ${code} !== "${type}"`;
  }
}
