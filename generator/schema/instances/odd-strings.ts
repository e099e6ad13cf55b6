import { countCharacters } from "../values.js";
import { MAXIMUM_STRING } from "./sizes.js";

/** Unusual strings, which are likely to break a pattern or format. */
export function oddStrings(value: string): string[] {
  const odd = ["not this", "!", " ", "", "§", "a", "A", "0", "-", "_", "a b", "\n"];
  const around = [`${value}!`, `!${value}`, `${value} `, `${value}§`, value.toUpperCase()];
  const replaced = ["!", "a", "0", "§", "A"].map((character) =>
    character.repeat(Math.min(countCharacters(value), MAXIMUM_STRING)),
  );
  return [...odd, ...replaced, ...around, value.slice(1), value.slice(0, -1)];
}

/** Property names that few schemas declare. */
export const ODD_NAMES: readonly string[] = [
  ...["unexpected", "notDeclared", "x", "0", "!", "", "Un Expected", "_", "UPPER"],
];
