import { isObject } from "../engine/request-parameters.js";

/** How a result with a structured value is told as text. */
export type TextForm = "none" | "summary";

/** The most members that a summary names. */
const MOST_NAMES = 20;

/** The text beside a structured value, for clients that read the value itself; undefined for none. */
export function shortText(form: TextForm, value: unknown): string | undefined {
  return form === "none" ? undefined : summaryOf(value);
}

/** What a structured value has: the number of its items, or the names of its members. */
function summaryOf(value: unknown): string {
  if (Array.isArray(value)) return `The structured result is a list of ${itemsOf(value)}.`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) =>
    Array.isArray(member) ? `${name} (${itemsOf(member)})` : name,
  );
  if (members.length === 0) return "The structured result is empty.";
  const more = members.length > MOST_NAMES ? [`${members.length - MOST_NAMES} more`] : [];
  return `The structured result has ${[...members.slice(0, MOST_NAMES), ...more].join(", ")}.`;
}

function itemsOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1 item" : `${length} items`;
}
