import type { AST } from "@eslint-community/regexpp";
import type { CharacterElement } from "./alphabet.js";
import { loadParser, parsePattern } from "./parse-pattern.js";

/** Longer patterns are not examined: they may match anything. */
const MAX_LENGTH = 2000;

/**
 * True if a text that matches a pattern may begin with one of some characters, or if that is not certain.
 *
 * @param source a regular expression with the flag `u`, which matches anywhere in the text
 */
export function mayBeginWith(source: string, characters: string): boolean {
  const alternatives = parse(source)?.alternatives ?? [];
  if (alternatives.length === 0 || !alternatives.every(({ elements }) => isStart(elements[0]))) {
    return true;
  }
  return [...characters].some((one) => take(alternatives, one) !== "no");
}

/** True if a text that matches a pattern may have one of some characters, or if that is not certain. */
export function mayHave(source: string, characters: string): boolean {
  const parsed = parse(source);
  if (parsed === undefined) return true;
  const isWhole = parsed.alternatives.every(
    ({ elements }) => isStart(elements[0]) && isEnd(elements.at(-1)),
  );
  let has = !isWhole;
  const look = (element: CharacterElement): void => {
    const isInClass = element.parent.type.startsWith("CharacterClass");
    has ||= !isInClass && [...characters].some((one) => matches(element, one));
  };
  loadParser().visitRegExpAST(parsed, {
    onCharacterEnter: look,
    onCharacterSetEnter: look,
    onCharacterClassEnter: look,
  });
  return has;
}

/** Undefined for what is too long, or no regular expression, which another check reports. */
const parse = (source: string): AST.Pattern | undefined =>
  source.length > MAX_LENGTH ? undefined : parsePattern(source);

/** Whether the first character of a text is taken: `open` if what follows decides. */
type Taken = "yes" | "no" | "open";

function take(alternatives: readonly AST.Alternative[], character: string): Taken {
  const taken = alternatives.map(({ elements }) =>
    elements.reduce<Taken>(
      (before, element) => (before === "open" ? takeOne(element, character) : before),
      "open",
    ),
  );
  return taken.find((one) => one === "yes") ?? taken.find((one) => one === "open") ?? "no";
}

function takeOne(element: AST.Element, character: string): Taken {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return matches(element, character) ? "yes" : "no";
    case "Group":
    case "CapturingGroup":
      return take(element.alternatives, character);
    case "Quantifier": {
      const taken = takeOne(element.element, character);
      return taken === "no" && element.min === 0 ? "open" : taken;
    }
    case "Assertion": {
      const isExcluded =
        element.kind === "lookahead" && element.negate && isTaken(element, character);
      return isExcluded || element.kind === "end" ? "no" : "open";
    }
    default:
      return "yes";
  }
}

/** True for `(?!-)`, which looks at one character only. */
function isTaken({ alternatives }: AST.LookaheadAssertion, character: string): boolean {
  const alone = alternatives.filter(({ elements }) => elements.length === 1);
  return alone.some((alternative) => take([alternative], character) === "yes");
}

const isStart = (element: AST.Element | undefined): boolean =>
  element?.type === "Assertion" && element.kind === "start";

const isEnd = (element: AST.Element | undefined): boolean =>
  element?.type === "Assertion" && element.kind === "end";

const matches = ({ raw }: CharacterElement, character: string): boolean =>
  new RegExp(`^${raw}$`, "u").test(character);
