import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";

/** Formats whose texts begin with a letter or a digit. */
const SAFE_FORMATS = ["uuid", "date", "date-time", "ipv4", "ipv6", "uri"];

/**
 * True if the text of a value that fits a schema, or of an item of a list, may begin with a hyphen. It is false for
 * values of `enum` and `const`, which the author chose, and true if the schema does not certainly exclude a hyphen.
 */
export function mayBeginWithHyphen(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return true;
  if ("enum" in schema || "const" in schema) return false;
  const types = [schema["type"] ?? []].flat();
  return types.length === 0 || types.some((type) => mayTypeBeginWithHyphen(String(type), schema));
}

function mayTypeBeginWithHyphen(type: string, schema: JsonObject): boolean {
  switch (type) {
    case "boolean":
    case "null":
      return false;
    case "number":
    case "integer":
      return ![schema["minimum"], schema["exclusiveMinimum"]].some(
        (limit) => typeof limit === "number" && limit >= 0,
      );
    case "array":
      return mayBeginWithHyphen(schema["items"]);
    case "string":
      return !isSafeText(schema);
    default:
      return true;
  }
}

function isSafeText({ pattern, format }: JsonObject): boolean {
  if (typeof format === "string" && SAFE_FORMATS.includes(format)) return true;
  return typeof pattern === "string" && excludesHyphen(pattern);
}

/** True if no text that matches the pattern begins with a hyphen. False if that is not certain. */
function excludesHyphen(pattern: string): boolean {
  if (!pattern.startsWith("^") || hasAlternatives(pattern)) return false;
  const unanchored = pattern.slice(1);
  if (unanchored.startsWith("(?!-)")) return true;
  const firstAtom = /^(?:\[(?:\\.|[^\]\\])*\]|\\[dw]|[^\\.()[\]{}*+?^$|])/.exec(unanchored)?.[0];
  if (firstAtom === undefined) return false;
  const mayBeAbsent = /^(?:[?*]|\{0|\{,)/.test(unanchored.slice(firstAtom.length));
  return !mayBeAbsent && !new RegExp(`^${firstAtom}$`, "u").test("-");
}

/** True if a pattern has a `|` outside groups and classes. */
function hasAlternatives(pattern: string): boolean {
  const outside = pattern.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");
  let depth = 0;
  for (const character of outside) {
    if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}
