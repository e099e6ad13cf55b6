import { createRequire } from "node:module";
import type { AST } from "@eslint-community/regexpp";
import { Alphabet, type CharacterElement } from "./alphabet.js";
import { hasLoop, isExponential, polynomialDegree, PositionGraph } from "./ambiguity.js";
import { buildAutomaton } from "./automaton.js";
import { layOutSteps, type StepOptions } from "./steps.js";
import { SharedWork } from "../shared-work.js";
import { PatternTooLarge, WorkBudget } from "./work-budget.js";

/** How the time of a failing match grows with the length of the text. */
export type PatternCost =
  | { readonly kind: "invalid"; readonly reason: string }
  /** `degree` 1 is linear, 2 quadratic, 3 cubic or worse. */
  | { readonly kind: "polynomial"; readonly degree: number }
  | { readonly kind: "exponential" }
  /** Too long, too deep or too tangled to be analysed in a moment. */
  | { readonly kind: "unknown" };

const MAX_LENGTH = 5000;
const MAX_GROUP_DEPTH = 50;

/** A repetition with a higher bound counts as endless for what stands inside it. */
const MANY_ROUNDS = 10;

/** Some tenths of a second for one pattern, and some seconds for all patterns of a manifest. */
const WORK_PER_PATTERN = 1_000_000;
const WORK_IN_ALL = 12_000_000;
/** For the patterns of a tool's schema, before they take from the others: everyday ones take some hundreds. */
const WORK_OF_EACH = 2_500;
/** What each pattern costs, however short: reading it, and trying whether an engine takes it. */
const WORK_TO_READ = 200;
const CHARACTER_WORK = 10;
/** For each `\p{…}` an engine puts thousands of characters together, however often it stands there. */
const PROPERTY_WORK = 1_000;

/**
 * The cost of patterns of JSON Schema, read as ECMAScript with the `u` flag and matched anywhere
 * in the text by a backtracking engine. Time is bounded, whatever the patterns.
 */
export class PatternCosts {
  readonly #costs = new Map<string, CachedCost>();
  /** Patterns that all have paid for. */
  readonly #paid = new Set<string>();
  readonly work: SharedWork;

  constructor(work = WORK_IN_ALL) {
    this.work = new SharedWork(work, WORK_OF_EACH);
  }

  costOf(source: string): PatternCost {
    const { allowance, left } = this.work;
    const most = Math.min(WORK_PER_PATTERN, left);
    const { cost, work } = this.#costs.get(source) ?? this.#find(source, most);
    // How it came to be known does not count: who asks pays, unless it is paid for out of what all share.
    const isPaid = this.#paid.has(source) && work > allowance;
    if (!isPaid) this.work.spend(Math.min(work, most + 1));
    if (isPaid || work <= allowance) return cost;
    if (work > most) return { kind: "unknown" };
    this.#paid.add(source);
    return cost;
  }

  #find(source: string, most: number): CachedCost {
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
  /** What it takes to find it. */
  readonly work: number;
}

function analyse(source: string, budget: WorkBudget): PatternCost {
  const isLong = source.length > MAX_LENGTH || groupDepth(source) > MAX_GROUP_DEPTH;
  if (isLong) return { kind: "unknown" };
  try {
    budget.spend(WORK_TO_READ + PROPERTY_WORK * propertyCount(source));
    const reason = whyInvalid(source);
    return reason === undefined ? costOfPattern(source, budget) : { kind: "invalid", reason };
  } catch (error) {
    if (error instanceof PatternTooLarge) return { kind: "unknown" };
    throw error;
  }
}

function propertyCount(source: string): number {
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

/** The whole pattern, or the inside of a lookaround: each is matched on its own. */
interface Part {
  readonly alternatives: readonly AST.Alternative[];
  readonly search: boolean;
  readonly endMatches: boolean;
  /** Whether an engine may start it at each character of the text. */
  readonly repeated: boolean;
}

const require = createRequire(import.meta.url);

/** The parser is loaded only where a manifest has patterns. */
function costOfPattern(source: string, budget: WorkBudget): PatternCost {
  // Parsing takes time too.
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
  const whole = { alphabet: new Alphabet(characters, budget), hasCopies };
  return costOfParts(parts, whole, budget);
}

/** What all parts of a pattern share. */
interface Whole {
  readonly alphabet: Alphabet;
  /** Whether it may be laid out in two ways: a repetition has an upper bound. */
  readonly hasCopies: boolean;
}

function isInClass({ parent }: CharacterElement): boolean {
  return parent.type === "CharacterClass" || parent.type === "CharacterClassRange";
}

function lookaroundPart(lookaround: AST.LookaroundAssertion): Part {
  return {
    alternatives: lookaround.alternatives,
    search: false,
    // A lookbehind is matched backwards: its end is not where the engine finishes.
    endMatches: lookaround.kind === "lookahead",
    repeated: startsAnywhere(lookaround),
  };
}

/** Whether a repetition holds the node, or no `^` stands before it. */
function startsAnywhere(node: AST.Node): boolean {
  if (node.parent === null) return true;
  if (node.type === "Quantifier" && node.max > MANY_ROUNDS) return true;
  if (node.type === "Alternative" && node.parent.type === "Pattern") {
    const first = node.elements[0];
    return !(first?.type === "Assertion" && first.kind === "start");
  }
  return startsAnywhere(node.parent);
}

function costOfParts(parts: readonly Part[], whole: Whole, budget: WorkBudget): PatternCost {
  let degree = 1;
  for (const part of parts) {
    const cost = costOfPart(part, whole, budget);
    if (cost.kind !== "polynomial") return cost;
    degree = Math.max(degree, cost.degree);
  }
  return { kind: "polynomial", degree };
}

function costOfPart(part: Part, { alphabet, hasCopies }: Whole, budget: WorkBudget): PatternCost {
  const graph = (bounded: StepOptions["bounded"]): PositionGraph => {
    const steps = layOutSteps(part.alternatives, alphabet, { bounded, ...part });
    return new PositionGraph(buildAutomaton(steps, budget), budget);
  };
  const endless = graph("endless");
  if (isExponential(endless)) return { kind: "exponential" };
  const few = hasCopies ? graph("few copies") : endless;
  const again = part.repeated && hasLoop(few) ? 1 : 0;
  return { kind: "polynomial", degree: polynomialDegree(few) + again };
}
