import { isJsonObject, type JsonValue } from "../model/json.js";
import { excerpt } from "./excerpt.js";

/** Texts that mean the same with and without quotes, also within `[…]` and `{…}`. */
const PLAIN_TEXT = /^(?:[A-Za-z_/]|--?[A-Za-z]|\.\.?\/)(?:[\w./!?=+-]| (?!#)|:(?! |$))*$/;

/** Plain texts that YAML, of this or an earlier version, reads as another value. */
const OTHER_VALUE = /^(?:true|false|yes|no|on|off|y|n|null)$/i;

/** A value as one would write it within a line of YAML: `[ls, -la]`. Long texts are cut. */
export function flowYaml(value: JsonValue): string {
  return writeFlow(value, (text) => flowText(excerpt(text)));
}

/** A value as {@link flowYaml} writes it, with its whole texts. */
export function wholeFlowYaml(value: JsonValue): string {
  return writeFlow(value, flowText);
}

function writeFlow(value: JsonValue, write: (text: string) => string): string {
  if (typeof value === "string") return write(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeFlow(item, write)).join(", ")}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${flowText(key)}: ${writeFlow(item, write)}`,
  );
  return `{${entries.join(", ")}}`;
}

/** A text as it stands within a line of YAML: in quotes where it would otherwise mean something else. */
export function flowText(text: string): string {
  const isPlain = PLAIN_TEXT.test(text.replace(/…$/, "")) && !/ $/.test(text);
  return isPlain && !OTHER_VALUE.test(text) ? text : JSON.stringify(text);
}
