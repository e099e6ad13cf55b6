import type { JsonValue } from "../../model/json.js";
import { writeKey, writeNumber, writeString } from "../../text/literal.js";
import {
  arrayOf,
  atom,
  objectOf,
  readExpression,
  type Expression,
  type Member,
} from "./expression.js";
import { isNarrow } from "./line-width.js";
import { quoted } from "./quoted.js";

/** The expression that {@link writeLiteral} writes of a JSON value, without writing and reading it. */
export function literalExpression(value: JsonValue): Expression {
  if (typeof value === "string") return stringAtom(writeString(value));
  if (typeof value === "number") return atom("number", writeNumber(value).replace("e+", "e"));
  if (value === null || typeof value === "boolean") return atom("name", String(value));
  if (Array.isArray(value)) return arrayOf(value.map(literalExpression));
  const members: Member[] = [];
  let hasPlainKeys = true;
  for (const name of Object.keys(value)) {
    const key = writeKey(name);
    const isName = key === name;
    hasPlainKeys &&= isName || isPlainKey(key);
    members.push({
      key: isName ? key : quoted(key),
      value: literalExpression(value[name] ?? null),
    });
  }
  const object = objectOf(members);
  return hasPlainKeys ? object : { ...object, isKnown: false };
}

/** An object of expressions that are ready, `{ tools }` for `tools: tools`. */
export function objectExpression(
  entries: readonly (readonly [name: string, value: Expression | string])[],
): Expression {
  const members = entries.map(([name, value]): Member => {
    const key = writeKey(name);
    return value === key ? { key } : { key, value: expressionIn(value) };
  });
  return objectOf(members);
}

/** What a source on one line says; where it cannot be read, prettier lays it out. */
function expressionIn(source: Expression | string): Expression {
  if (typeof source !== "string") return source;
  const expression = isNarrow(source) ? readExpression(source) : undefined;
  return expression ?? atom("name", source, false);
}

function stringAtom(literal: string): Expression {
  return atom("string", quoted(literal), isNarrow(literal));
}

/** Prettier takes the quotes from some names with other letters. */
function isPlainKey(key: string): boolean {
  return !key.startsWith("[") && (!key.startsWith('"') || /^[ -~]*$/.test(key));
}
