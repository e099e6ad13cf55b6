import { isJsonObject, type JsonValue } from "../model/json.js";
import { excerpt } from "./excerpt.js";

/** Texts that mean the same with and without quotes, also within `[…]` and `{…}`. */
const PLAIN_TEXT = /^(?:[A-Za-z_/]|--?[A-Za-z]|\.\.?\/)(?:[\w./!?=+-]| (?!#)|:(?! |$))*$/;

/** Plain texts that YAML, of this or an earlier version, reads as another value. */
const OTHER_VALUE = /^(?:true|false|yes|no|on|off|y|n|null)$/i;

/** A value as one would write it within a line of YAML: `[ls, -la]`. Long texts are cut. */
export function flowYaml(value: JsonValue): string {
  if (typeof value === "string") return flowText(excerpt(value));
  if (Array.isArray(value)) return `[${value.map(flowYaml).join(", ")}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${flowText(key)}: ${flowYaml(item)}`);
  return `{${entries.join(", ")}}`;
}

function flowText(text: string): string {
  const isPlain = PLAIN_TEXT.test(text.replace(/…$/, "")) && !/ $/.test(text);
  return isPlain && !OTHER_VALUE.test(text) ? text : JSON.stringify(text);
}
