import type { RandomNumbers } from "../../../harness/runner/random-numbers.js";

const CHARACTERS = [
  "a",
  "b",
  "[ab]",
  "[a-z]",
  "[a-z0-9]",
  "\\w",
  "\\d",
  ".",
  "[^b]",
  "-",
  "[^-]",
  "\\s",
  "\\p{L}",
  "\\p{Lu}",
  "😀",
];
const QUANTIFIERS = [
  "?",
  "*",
  "+",
  "{0,3}",
  "{1,4}",
  "{3}",
  "{0,30}",
  "{1,63}",
  "{0,63}",
  "{20}",
  "{2,}",
  "{0,1000}",
  "*?",
  "??",
  "{0,12}",
];

/** A random pattern whose parts are likely to share text, in the manner of an attacker. */
export function hostilePattern(random: RandomNumbers): string {
  const one = (values: readonly string[]): string => values[random(values.length)] ?? "";
  // Few characters in one pattern share much.
  const characters = Array.from({ length: 1 + random(3) }, () => one(CHARACTERS));
  const sequence = (depth: number): string =>
    Array.from({ length: 1 + random(4) }, () => element(depth)).join("");
  const alternatives = (depth: number): string =>
    Array.from({ length: 1 + random(3) }, () => sequence(depth)).join("|");
  const element = (depth: number): string => {
    const kind = random(depth > 2 ? 10 : 20);
    if (kind < 3) return one(characters);
    if (kind < 10) return one(characters) + one(QUANTIFIERS);
    if (kind < 13) return `(?:${alternatives(depth + 1)})${one(QUANTIFIERS)}`;
    if (kind < 15) return `(${alternatives(depth + 1)})`;
    if (kind === 15) return `(?${one(["=", "!"])}${alternatives(depth + 1)})`;
    if (kind === 16) return `(?<${one(["=", "!"])}${sequence(depth + 1)})`;
    if (kind === 17) return `(${sequence(depth + 1)})${one(["", "-"])}\\1`;
    if (kind === 18) return (one(characters) + one(QUANTIFIERS)).repeat(2 + random(8));
    return one(["\\b", "(?:|)", "(?:a|a)", "(?:a|ab)(?:c|bc)", "(?:a?){9}"]).repeat(1 + random(3));
  };
  return `${one(["^", "^", ""])}${sequence(0)}${one(["$", "$", "!", ""])}`;
}
