import { isJsonObject, type JsonValue } from "../model/json.js";
import { excerpt } from "./excerpt.js";

/** A text in quotes, cut if it is long. */
export function quoted(text: string): string {
  return `"${excerpt(text)}"`;
}

/** Describes a value for messages: `the text "yes"`, `the number 1`, `a list`. */
export function describeValue(value: JsonValue): string {
  if (value === null) return "empty";
  if (typeof value === "string") return `the text ${quoted(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  return isJsonObject(value) ? "a mapping" : "a list";
}
