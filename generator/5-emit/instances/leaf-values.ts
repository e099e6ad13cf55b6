import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import type { JsonObject, JsonValue } from "../../model/json.js";
import { FORMAT_SAMPLES, lengthened, MAXIMUM_STRING, namedText } from "./string-values.js";
import type { Wish } from "./wish.js";

/**
 * The valid value of a plain schema without members, where it can be told from the schema at once. It is the one that
 * `makeString` and `makeNumber` would find among their candidates, as the first that fits.
 *
 * @param name the property that it is for
 * @returns undefined where candidates have to be tried
 */
export function leafValue(
  schema: JsonObject,
  bound: Wish["bound"],
  name: string,
): JsonValue | undefined {
  if (schema["const"] !== undefined) return undefined;
  const { type, enum: choices, examples, default: standard } = schema;
  if (choices !== undefined) return leafChoice(schema);
  if (bound === "typical" && (examples !== undefined || standard !== undefined)) return undefined;
  switch (type) {
    case "boolean":
      return true;
    case "string":
      return leafText(schema, bound, name);
    case "integer":
    case "number":
      return leafNumber(schema, bound);
    default:
      return undefined;
  }
}

/** The first choice, where nothing else is asked of it than that it is a text. */
function leafChoice(schema: JsonObject): string | undefined {
  const { type, enum: choices, minLength, maxLength, pattern, format } = schema;
  const [first] = Array.isArray(choices) ? choices : [];
  if (typeof first !== "string" || (type !== undefined && type !== "string")) return undefined;
  const isOnlyChosen = [minLength, maxLength, pattern, format].every((one) => one === undefined);
  return isOnlyChosen ? first : undefined;
}

function leafText(schema: JsonObject, bound: Wish["bound"], name: string): string | undefined {
  const { minLength, maxLength, pattern, format } = schema;
  if (pattern !== undefined) return undefined;
  if (format !== undefined) {
    if (minLength !== undefined || maxLength !== undefined) return undefined;
    const samples = FORMAT_SAMPLES.get(String(format)) ?? [];
    return bound === "high" ? samples.at(-1) : samples[0];
  }
  const least = Number(minLength ?? 0);
  const most = Math.min(Number(maxLength ?? Infinity), MAXIMUM_STRING);
  let text = namedText(name);
  if (bound === "low") text = text.slice(0, least);
  else if (bound === "high" && maxLength !== undefined) text = lengthened(text, most);
  return text.length >= least && text.length <= most ? text : undefined;
}

function leafNumber(schema: JsonObject, bound: Wish["bound"]): number | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  if (multipleOf !== undefined || FORMAT_CHECKS.has(String(format))) return undefined;
  const least = Number(minimum ?? -Infinity);
  const most = Number(maximum ?? Infinity);
  const above = Number(exclusiveMinimum ?? -Infinity);
  const below = Number(exclusiveMaximum ?? Infinity);
  let value = 1;
  if (bound === "low") value = Math.max(least, above);
  else if (bound === "high") value = Math.min(most, below);
  const isFitting =
    Number.isFinite(value) &&
    (schema["type"] === "number" || Number.isInteger(value)) &&
    value >= least &&
    value <= most &&
    value > above &&
    value < below;
  return isFitting ? value : undefined;
}
