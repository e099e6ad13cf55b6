import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";

/** Formats whose texts begin with a letter or a digit. */
const SAFE_FORMATS = ["uuid", "date", "date-time", "ipv4", "ipv6", "uri"];

/**
 * Whether a value of a schema, as a text, may begin with a hyphen, or an item of it where it is a list. What the
 * manifest lists by `enum` or `const` is meant. A schema that does not say it plainly may.
 */
export function mayBeginWithHyphen(schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema)) return true;
  if ("enum" in schema || "const" in schema) return false;
  const types = [schema["type"] ?? []].flat();
  return types.length === 0 || types.some((type) => valuesOfType(String(type), schema));
}

function valuesOfType(type: string, schema: JsonObject): boolean {
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

/** Whether a pattern plainly says that its texts begin with something else than a hyphen. */
function excludesHyphen(pattern: string): boolean {
  if (!pattern.startsWith("^") || hasAlternatives(pattern)) return false;
  const rest = pattern.slice(1);
  if (rest.startsWith("(?!-)")) return true;
  const first = /^(?:\[(?:\\.|[^\]\\])*\]|\\[dw]|[^\\.()[\]{}*+?^$|])/.exec(rest)?.[0];
  if (first === undefined) return false;
  const mayBeAbsent = /^(?:[?*]|\{0|\{,)/.test(rest.slice(first.length));
  return !mayBeAbsent && !new RegExp(`^${first}$`, "u").test("-");
}

/** Whether a pattern has a `|` outside groups and classes. */
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
