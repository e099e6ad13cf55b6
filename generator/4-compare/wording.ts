import type { JsonValue } from "../model/json.js";
import { excerpt } from "../text/excerpt.js";

const MOST_LISTED = 3;

const LONGEST_SHOWN = 40;

/** A value as JSON, cut where it is long; a text is cut within its quotes. */
export function shown(value: JsonValue): string {
  const json = JSON.stringify(value);
  if (typeof value !== "string") return excerpt(json, LONGEST_SHOWN);
  return json.length <= LONGEST_SHOWN ? json : JSON.stringify(excerpt(value, LONGEST_SHOWN - 2));
}

/** Values as JSON: `"fog", "hail" and 4 more`. */
export function listed(values: readonly JsonValue[]): string {
  const first = values.slice(0, MOST_LISTED).map(shown).join(", ");
  return values.length > MOST_LISTED ? `${first} and ${values.length - MOST_LISTED} more` : first;
}

/** How a text changed, from the first word that differs. */
export function textChange(what: string, before?: string, after?: string): string {
  if (before === undefined) return `${what} added: ${shown(after ?? "")}`;
  if (after === undefined) return `${what} removed`;
  const start = firstDifference(before, after);
  return `${what} changed from ${shownFrom(before, start)} to ${shownFrom(after, start)}`;
}

/** The beginning of the word in which two texts differ first; 0 where that is near. */
function firstDifference(before: string, after: string): number {
  let index = 0;
  while (index < before.length && before[index] === after[index]) index += 1;
  return index < 20 ? 0 : before.lastIndexOf(" ", index) + 1;
}

function shownFrom(text: string, start: number): string {
  return shown(start === 0 ? text : `…${text.slice(start)}`);
}
