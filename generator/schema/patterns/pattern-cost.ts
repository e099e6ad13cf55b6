import type { AST } from "@eslint-community/regexpp";
import { Alphabet, type CharacterElement } from "./alphabet.js";
import { PositionGraph } from "./ambiguity.js";
import { buildAutomaton } from "./automaton.js";
import { MatchingSteps } from "./matching-steps.js";
import { layOutSteps } from "./steps.js";
import { isTooDeep, loadParser, parsePattern } from "./parse-pattern.js";
import { longestQuickText } from "./step-limits.js";
import { SharedWork } from "../shared-work.js";
import { PatternTooLarge, WorkBudget } from "./work-budget.js";

/** How long a failing match may take. */
export type PatternCost =
  | { readonly kind: "invalid"; readonly reason: string }
  /** `longestText` is the length, in characters, up to which texts are matched quickly: Infinity, if all are. */
  | { readonly kind: "polynomial"; readonly longestText: number }
  | { readonly kind: "exponential" }
  /** The pattern is too long, too deep or too complex for the work budget. */
  | { readonly kind: "unknown" };

const MAX_LENGTH = 5000;

/** Work takes some tenths of a second for one pattern, and some seconds for all patterns of a manifest. */
const WORK_PER_PATTERN = 1_000_000;
const WORK_IN_ALL = 12_000_000;
/** The allowance of each schema, before it uses the shared work; usual patterns need some hundreds. */
const WORK_OF_EACH = 2_500;
/** The minimum work for a pattern: parsing it, and compiling it as a `RegExp`. */
const WORK_TO_READ = 200;
const CHARACTER_WORK = 10;
/** The work for each `\p{…}`, which is tested at some hundred thousand characters, once in a process. */
const PROPERTY_WORK = 2_000;

/**
 * The cost of patterns of JSON Schema: ECMAScript with the `u` flag, matched anywhere in the text by a backtracking
 * engine. The time of the analysis is bounded for every pattern.
 */
export class PatternCosts {
  readonly #costs = new Map<string, CachedCost>();
  /** Patterns whose work was already taken from the shared work. */
  readonly #paidPatterns = new Set<string>();
  readonly work: SharedWork;

  constructor(work = WORK_IN_ALL) {
    this.work = new SharedWork(work, WORK_OF_EACH);
  }

  costOf(source: string): PatternCost {
    const { allowance, left } = this.work;
    const most = Math.min(WORK_PER_PATTERN, left);
    const { cost, work } = this.#costs.get(source) ?? this.#analyse(source, most);
    // Results must not depend on the cache: each schema pays for a cached cost too, unless the shared work paid already.
    const isPaid = this.#paidPatterns.has(source) && work > allowance;
    if (!isPaid) this.work.spend(Math.min(work, most + 1));
    if (isPaid || work <= allowance) return cost;
    if (work > most) return { kind: "unknown" };
    this.#paidPatterns.add(source);
    return cost;
  }

  #analyse(source: string, most: number): CachedCost {
    const budget = new WorkBudget(most);
    const cost = analyse(source, budget);
    if (budget.left < 0 && most < WORK_PER_PATTERN) return { cost, work: Infinity };
    const cached = { cost, work: most - Math.max(0, budget.left) };
    this.#costs.set(source, cached);
    return cached;
  }
}

interface CachedCost {
  readonly cost: PatternCost;
  /** The work of finding it. */
  readonly work: number;
}

function analyse(source: string, budget: WorkBudget): PatternCost {
  if (source.length > MAX_LENGTH || isTooDeep(source)) return { kind: "unknown" };
  try {
    budget.spend(WORK_TO_READ + PROPERTY_WORK * propertyEscapeCount(source));
    const reason = whyInvalid(source);
    return reason === undefined ? costOfPattern(source, budget) : { kind: "invalid", reason };
  } catch (error) {
    if (error instanceof PatternTooLarge) return { kind: "unknown" };
    throw error;
  }
}

function propertyEscapeCount(source: string): number {
  return source.split(/\\p\{/i).length - 1;
}

function whyInvalid(source: string): string | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    return reasonOf(error, source);
  }
}

/** `Invalid regular expression: /(/u: Unterminated group` without the pattern, which may be long. */
function reasonOf(error: unknown, source: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(`Invalid regular expression: /${source}/u: `, "").toLowerCase();
}

function costOfPattern(source: string, budget: WorkBudget): PatternCost {
  budget.spend(source.length * CHARACTER_WORK);
  const pattern = parsePattern(source);
  if (pattern === undefined) {
    return { kind: "invalid", reason: "it has syntax that not every supported engine reads" };
  }
  const { characters, lookarounds } = elementsOf(pattern);
  const alphabet = new Alphabet(characters, budget);
  const parts = new Map<AST.Node, MatchingSteps>();
  for (const part of [pattern, ...lookarounds]) {
    const isBackwards = part.type === "Assertion" && part.kind === "lookbehind";
    const steps = layOutSteps(part.alternatives, alphabet, isBackwards);
    const automaton = buildAutomaton(steps, budget);
    const graph = new PositionGraph(automaton, alphabet.everyCharacter, budget);
    if (graph.isExponential) return { kind: "exponential" };
    parts.set(part, new MatchingSteps(automaton, graph, budget));
  }
  const longestText = longestQuickText((length) => {
    const stepsOfParts = new Map<AST.Node, number>();
    const stepsOfLookaround = (part: AST.LookaroundAssertion): number => {
      const steps =
        stepsOfParts.get(part) ?? parts.get(part)?.ofMatch(length, stepsOfLookaround) ?? 0;
      stepsOfParts.set(part, steps);
      return steps;
    };
    return parts.get(pattern)?.ofSearch(length, stepsOfLookaround) ?? 0;
  });
  return { kind: "polynomial", longestText };
}

interface Elements {
  /** All that match one character, but for those in brackets. */
  readonly characters: readonly CharacterElement[];
  readonly lookarounds: readonly AST.LookaroundAssertion[];
}

function elementsOf(pattern: AST.Pattern): Elements {
  const { visitRegExpAST } = loadParser();
  const characters: CharacterElement[] = [];
  const lookarounds: AST.LookaroundAssertion[] = [];
  const addCharacters = (element: CharacterElement): void => {
    if (!isInClass(element)) characters.push(element);
  };
  visitRegExpAST(pattern, {
    onCharacterEnter: addCharacters,
    onCharacterSetEnter: addCharacters,
    onCharacterClassEnter: addCharacters,
    onAssertionEnter: (assertion) => {
      if ("alternatives" in assertion) lookarounds.push(assertion);
    },
  });
  return { characters, lookarounds };
}

function isInClass({ parent }: CharacterElement): boolean {
  return parent.type === "CharacterClass" || parent.type === "CharacterClassRange";
}
