import type { JsonValue } from "../../model/json.js";

/** A text or number after a label: `multiple of 5`; an empty list for any other value. */
export function labelled(label: string, value: JsonValue | undefined): string[] {
  return typeof value === "string" || typeof value === "number" ? [`${label} ${value}`] : [];
}

/** A noun in the singular and the plural. */
export interface CountedNoun {
  readonly one: string;
  readonly many: string;
}

const NO_NOUN: CountedNoun = { one: "", many: "" };

function counted(count: number, { one, many }: CountedNoun): string {
  const noun = count === 1 ? one : many;
  return noun === "" ? `${count}` : `${count} ${noun}`;
}

/** The words for a range in a table: `exactly 3 characters`, `1 to 14`. */
export function rangeInTable(
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  noun = NO_NOUN,
): string[] {
  if (typeof least === "number" && typeof most === "number") {
    const isOne = least === most;
    return [isOne ? `exactly ${counted(least, noun)}` : `${least} to ${counted(most, noun)}`];
  }
  if (typeof least === "number") return [`at least ${counted(least, noun)}`];
  return typeof most === "number" ? [`at most ${counted(most, noun)}`] : [];
}

/** The words for a count in a comment: `3 characters`, `at most 1 item`. */
export function sizeInComment(
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  noun: CountedNoun,
): string[] {
  const hasMinimum = typeof least === "number" && least > 0;
  if (typeof most === "number") {
    const range = hasMinimum ? `${least} to ` : "at most ";
    return [least === most ? counted(most, noun) : range + counted(most, noun)];
  }
  return hasMinimum ? [`at least ${counted(least, noun)}`] : [];
}
