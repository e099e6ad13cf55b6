import { createRequire } from "node:module";
import type { AST } from "@eslint-community/regexpp";
import { Alphabet, type CharacterElement } from "./alphabet.js";
import { hasLoop, isExponential, polynomialDegree, PositionGraph } from "./ambiguity.js";
import { buildAutomaton } from "./automaton.js";
import { layOutSteps, type StepOptions } from "./steps.js";
import { SharedWork } from "../shared-work.js";
import { PatternTooLarge, WorkBudget } from "./work-budget.js";

/** How the time of a failing match grows with the text's length. */
export type PatternCost =
  | { readonly kind: "invalid"; readonly reason: string }
  /** `degree` 1 is linear, 2 quadratic, 3 cubic or worse. */
  | { readonly kind: "polynomial"; readonly degree: number }
  | { readonly kind: "exponential" }
  /** The pattern is too long, too deep or too complex for the work budget. */
  | { readonly kind: "unknown" };

const MAX_LENGTH = 5000;
const MAX_GROUP_DEPTH = 50;

/** For its content, a repetition with a higher upper bound counts as endless. */
const MANY_ROUNDS = 10;

/** Work takes some tenths of a second for one pattern, and some seconds for all patterns of a manifest. */
const WORK_PER_PATTERN = 1_000_000;
const WORK_IN_ALL = 12_000_000;
/** The allowance of each schema, before it uses the shared work; usual patterns need some hundreds. */
const WORK_OF_EACH = 2_500;
/** The minimum work for a pattern: parsing it, and compiling it as a `RegExp`. */
const WORK_TO_READ = 200;
const CHARACTER_WORK = 10;
/** The work for each `\p{…}`, which an engine expands to thousands of characters. */
const PROPERTY_WORK = 1_000;

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
  const isLong = source.length > MAX_LENGTH || groupDepth(source) > MAX_GROUP_DEPTH;
  if (isLong) return { kind: "unknown" };
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

function groupDepth(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of source.matchAll(/\\.|[()]/gsu)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The whole pattern, or the inside of a lookaround, which is matched on its own. */
interface Part {
  readonly alternatives: readonly AST.Alternative[];
  readonly search: boolean;
  readonly endMatches: boolean;
  /** Whether an engine may start it at every character of the text. */
  readonly repeated: boolean;
}

const require = createRequire(import.meta.url);

/** Loads the parser only when it is first needed. */
function costOfPattern(source: string, budget: WorkBudget): PatternCost {
  budget.spend(source.length * CHARACTER_WORK);
  const { RegExpParser, visitRegExpAST } =
    require("@eslint-community/regexpp") as typeof import("@eslint-community/regexpp");
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  const characters: CharacterElement[] = [];
  let hasCopies = false;
  const parts: Part[] = [
    { alternatives: pattern.alternatives, search: true, endMatches: true, repeated: false },
  ];
  const addCharacters = (element: CharacterElement): void => {
    if (!isInClass(element)) characters.push(element);
  };
  visitRegExpAST(pattern, {
    onCharacterEnter: addCharacters,
    onCharacterSetEnter: addCharacters,
    onCharacterClassEnter: addCharacters,
    onQuantifierEnter: ({ max }) => {
      hasCopies ||= max > 1 && max < Infinity;
    },
    onAssertionEnter: (assertion) => {
      if ("alternatives" in assertion) parts.push(lookaroundPart(assertion));
    },
  });
  const context = { alphabet: new Alphabet(characters, budget), hasCopies };
  return costOfParts(parts, context, budget);
}

/** Values that all parts of a pattern share. */
interface PatternContext {
  readonly alphabet: Alphabet;
  /** Whether a repetition has an upper bound, so that it can be laid out as endless or as copies. */
  readonly hasCopies: boolean;
}

function isInClass({ parent }: CharacterElement): boolean {
  return parent.type === "CharacterClass" || parent.type === "CharacterClassRange";
}

function lookaroundPart(lookaround: AST.LookaroundAssertion): Part {
  return {
    alternatives: lookaround.alternatives,
    search: false,
    // A lookbehind is matched backwards, so that the engine does not finish at its end.
    endMatches: lookaround.kind === "lookahead",
    repeated: startsAnywhere(lookaround),
  };
}

/** Whether the node is within a repetition, or not preceded by `^`. */
function startsAnywhere(node: AST.Node): boolean {
  if (node.parent === null) return true;
  if (node.type === "Quantifier" && node.max > MANY_ROUNDS) return true;
  if (node.type === "Alternative" && node.parent.type === "Pattern") {
    const first = node.elements[0];
    return !(first?.type === "Assertion" && first.kind === "start");
  }
  return startsAnywhere(node.parent);
}

function costOfParts(
  parts: readonly Part[],
  context: PatternContext,
  budget: WorkBudget,
): PatternCost {
  let degree = 1;
  for (const part of parts) {
    const cost = costOfPart(part, context, budget);
    if (cost.kind !== "polynomial") return cost;
    degree = Math.max(degree, cost.degree);
  }
  return { kind: "polynomial", degree };
}

function costOfPart(
  part: Part,
  { alphabet, hasCopies }: PatternContext,
  budget: WorkBudget,
): PatternCost {
  const graph = (bounded: StepOptions["bounded"]): PositionGraph => {
    const steps = layOutSteps(part.alternatives, alphabet, { bounded, ...part });
    return new PositionGraph(buildAutomaton(steps, budget), budget);
  };
  const endless = graph("endless");
  if (isExponential(endless)) return { kind: "exponential" };
  const withFewCopies = hasCopies ? graph("few copies") : endless;
  const degreeOfStarts = part.repeated && hasLoop(withFewCopies) ? 1 : 0;
  return { kind: "polynomial", degree: polynomialDegree(withFewCopies) + degreeOfStarts };
}
