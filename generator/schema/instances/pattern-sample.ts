import type { AST } from "@eslint-community/regexpp";
import { isTooDeep, parsePattern } from "../patterns/parse-pattern.js";

/** The choices for one sample. */
export interface SampleChoice {
  /** The number of repetitions, if the quantifier allows it. */
  readonly repeat: number;
  /** The index of the alternative or character, modulo their number. */
  readonly pick: number;
}

type Sampler = (choice: SampleChoice) => string;

const MAXIMUM_SAMPLE = 2_000;

/** Characters for `.` and for character classes, the most usual first. */
const USUAL_CHARACTERS = [
  ..."abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_- .:/",
];

/**
 * A function that makes strings for a pattern. It ignores assertions, so that the caller must test the strings. Undefined
 * for patterns with back references, and for those of which no usual character is known.
 */
export function patternSampler(pattern: string): Sampler | undefined {
  const parsed = isTooDeep(pattern) ? undefined : parsePattern(pattern);
  return parsed && oneOfAlternatives(parsed);
}

function oneOfAlternatives({
  alternatives,
}: {
  readonly alternatives: readonly AST.Alternative[];
}): Sampler | undefined {
  const branches = alternatives.map(({ elements }) => sequence(elements));
  if (!branches.every((branch) => branch !== undefined)) return undefined;
  return (choice) => branches[choice.pick % branches.length]?.(choice) ?? "";
}

function sequence(elements: readonly AST.Element[]): Sampler | undefined {
  const parts = elements.map(samplerOf);
  if (!parts.every((part) => part !== undefined)) return undefined;
  return (choice) => {
    let text = "";
    for (const part of parts) {
      text += part(choice);
      if (text.length > MAXIMUM_SAMPLE) break;
    }
    return text;
  };
}

function samplerOf(element: AST.Element): Sampler | undefined {
  switch (element.type) {
    case "Assertion":
      return () => "";
    case "Character":
      return () => String.fromCodePoint(element.value);
    case "CharacterClass":
    case "CharacterSet":
      return oneOf(charactersOf(element));
    case "Quantifier":
      return repeated(element);
    case "Group":
    case "CapturingGroup":
      return oneOfAlternatives(element);
    default:
      return undefined;
  }
}

/** The usual characters that an element matches, then those that a class names, and the ends of its ranges. */
function charactersOf(element: AST.CharacterClass | AST.CharacterSet): string[] {
  const matches = new RegExp(`^${element.raw}$`, "u");
  const usual = USUAL_CHARACTERS.filter((character) => matches.test(character));
  if (element.type === "CharacterSet" || element.negate) return usual;
  const named = element.elements.flatMap((part) => {
    if (part.type === "Character") return [part.value];
    return part.type === "CharacterClassRange" ? [part.min.value, part.max.value] : [];
  });
  return [...usual, ...named.map((point) => String.fromCodePoint(point))];
}

function oneOf(characters: readonly string[]): Sampler | undefined {
  if (characters.length === 0) return undefined;
  return ({ pick }) => characters[pick % characters.length] ?? "";
}

function repeated({ element, min, max }: AST.Quantifier): Sampler | undefined {
  const once = samplerOf(element);
  if (once === undefined) return undefined;
  return (choice) => {
    const count = Math.min(Math.max(min, choice.repeat), max);
    const sample = count === 0 ? "" : once(choice);
    if (sample === "") return "";
    return sample.repeat(Math.min(count, Math.ceil(MAXIMUM_SAMPLE / sample.length) + 1));
  };
}
