import type { JsonValue } from "../model/json.js";
import { excerpt } from "../text/excerpt.js";

const MOST_LISTED = 3;

const LONGEST_SHOWN = 40;

/** A value as JSON, cut where it is long; a text is cut within its quotes. */
export function jsonExcerpt(value: JsonValue): string {
  const json = JSON.stringify(value);
  if (typeof value !== "string") return excerpt(json, LONGEST_SHOWN);
  return json.length <= LONGEST_SHOWN ? json : JSON.stringify(excerpt(value, LONGEST_SHOWN - 2));
}

/** A list of values as JSON, at most three of them: `"fog", "hail", "rain" and 4 more`. */
export function jsonList(values: readonly JsonValue[]): string {
  const first = values.slice(0, MOST_LISTED).map(jsonExcerpt).join(", ");
  return values.length > MOST_LISTED ? `${first} and ${values.length - MOST_LISTED} more` : first;
}

/** Says how a text changed; long texts are shown from the first word that differs. */
export function textChange(key: string, before?: string, after?: string): string {
  if (before === undefined) return `${key} added: ${jsonExcerpt(after ?? "")}`;
  if (after === undefined) return `${key} removed`;
  const start = firstDifference(before, after);
  return `${key} changed from ${excerptFrom(before, start)} to ${excerptFrom(after, start)}`;
}

/** The offset of the first word that differs; 0 if the difference is near the beginning. */
function firstDifference(before: string, after: string): number {
  let index = 0;
  while (index < before.length && before[index] === after[index]) index += 1;
  return index < 20 ? 0 : before.lastIndexOf(" ", index) + 1;
}

function excerptFrom(text: string, start: number): string {
  return jsonExcerpt(start === 0 ? text : `…${text.slice(start)}`);
}
