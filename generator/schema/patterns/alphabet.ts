import type { AST } from "@eslint-community/regexpp";
import type { WorkBudget } from "./work-budget.js";

/** An element of a pattern that matches exactly one character. */
export type CharacterElement = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** The characters that an element matches: one bit for each cell of the pattern's alphabet. */
export type CharacterMask = bigint;

const DIGIT_STARTS = [0x30, 0x3a];
const WORD_STARTS = [0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b];
const LINE_END_STARTS = [0x0a, 0x0b, 0x0d, 0x0e, 0x2028, 0x202a];
const SPACE_STARTS = [
  0x09, 0x0e, 0x20, 0x21, 0xa0, 0xa1, 0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f,
  0x2030, 0x205f, 0x2060, 0x3000, 0x3001, 0xfeff, 0xff00,
];
const LAST_CODE_POINT = 0x10ffff;

/**
 * Divides all code points into cells, such that each element of the pattern matches all code points of a cell or none.
 * Testing one code point of a cell with the engine's `RegExp` decides for the whole cell.
 */
export class Alphabet {
  readonly #masks = new Map<string, CharacterMask>();
  /** The mask of every character. */
  readonly everyCharacter: CharacterMask;

  constructor(elements: readonly CharacterElement[], budget: WorkBudget) {
    const matchers = new Map(elements.map((element) => [element.raw, matcherOf(element)]));
    const starts = new CellStarts();
    for (const element of elements) starts.add(element);
    budget.spend(starts.codePoints.size * matchers.size);
    const columns = new Set<string>();
    for (const start of starts.codePoints) {
      const point = Math.min(start, LAST_CODE_POINT);
      columns.add(
        Array.from(matchers.values(), (matches) => (matches(point) ? "1" : "0")).join(""),
      );
    }
    const cells = [...columns];
    for (const [row, raw] of [...matchers.keys()].entries()) {
      this.#masks.set(raw, BigInt(`0b0${cells.map((cell) => cell[row]).join("")}`));
    }
    this.everyCharacter = (1n << BigInt(cells.length)) - 1n;
  }

  maskOf(element: CharacterElement): CharacterMask {
    const mask = this.#masks.get(element.raw);
    if (mask === undefined) throw new Error(`${element.raw} is not of this alphabet`);
    return mask;
  }
}

/** A class with more ranges takes an engine longer: up to this many times a character's time, found by measuring. */
const MOST_WEIGHT = 8;
const RANGES_OF_A_STEP = 8;

/** How many times longer than a single character an element takes to match. */
export function matchingWeight(element: CharacterElement): number {
  const parts = element.type === "CharacterClass" ? element.elements : [element];
  const isLarge = parts.some((part) => part.type === "CharacterSet" && part.kind === "property");
  return isLarge
    ? MOST_WEIGHT
    : Math.min(MOST_WEIGHT, 1 + Math.floor(parts.length / RANGES_OF_A_STEP));
}

/** A function that tells whether an element matches a code point. */
function matcherOf(element: CharacterElement): (point: number) => boolean {
  if (element.type === "Character") return (point) => point === element.value;
  const expression = new RegExp(`^${element.raw}$`, "u");
  return (point) => expression.test(String.fromCodePoint(point));
}

/** The code points at which a new cell can begin. */
class CellStarts {
  readonly codePoints = new Set([0]);
  readonly #properties = new Set<string>();

  add(element: CharacterElement | AST.CharacterClassElement): void {
    switch (element.type) {
      case "Character":
        return this.#addAll([element.value, element.value + 1]);
      case "CharacterClassRange":
        return this.#addAll([element.min.value, element.max.value + 1]);
      case "CharacterClass":
        for (const inner of element.elements) this.add(inner as AST.CharacterClassElement);
        return;
      case "CharacterSet":
        return this.#addSet(element);
      default:
        throw new Error(`${element.type} needs the v flag, which JSON Schema does not use`);
    }
  }

  #addAll(starts: Iterable<number>): void {
    for (const start of starts) this.codePoints.add(start);
  }

  #addSet(set: AST.CharacterSet): void {
    switch (set.kind) {
      case "any":
        return this.#addAll(LINE_END_STARTS);
      case "digit":
        return this.#addAll(DIGIT_STARTS);
      case "space":
        return this.#addAll(SPACE_STARTS);
      case "word":
        return this.#addAll(WORD_STARTS);
      case "property":
        return this.#addProperty(set.raw);
    }
  }

  #addProperty(raw: string): void {
    if (this.#properties.has(raw)) return;
    this.#properties.add(raw);
    this.#addAll(propertyStarts(raw));
  }
}

/** Where properties are tested at every code point: outside of these blocks they change at few places. */
const EXACT_BLOCKS = [
  [0, 0xd800],
  [0xe000, 0x10000],
  [0x10000, 0x20000],
  [0xe0000, 0xe0200],
] as const;

/** The surrogates, the planes of ideographs, and those for private use. */
const SAMPLED_POINTS = [
  0xd800,
  0xdc00,
  ...Array.from({ length: 0x13 }, (_, index) => 0x20000 + 0x1000 * index),
  0xe0200,
  0xf0000,
  0x100000,
];

/** All code points of a block, one after the other. */
interface Block {
  readonly start: number;
  readonly text: string;
  /** The UTF-16 units of each of its code points. */
  readonly units: number;
}

let blocks: readonly Block[] | undefined;
const startsOfProperties = new Map<string, readonly number[]>();

/** The code points at which ranges of a Unicode property such as `\p{L}` begin or end. */
function propertyStarts(raw: string): readonly number[] {
  const cached = startsOfProperties.get(raw);
  if (cached !== undefined) return cached;
  blocks ??= EXACT_BLOCKS.map(([start, end]) => ({
    start,
    text: Array.from({ length: end - start }, (_, at) => String.fromCodePoint(start + at)).join(""),
    units: start < 0x10000 ? 1 : 2,
  }));
  const runs = new RegExp(`${raw}+`, "gu");
  const starts = blocks.flatMap(({ start, text, units }) =>
    [...text.matchAll(runs)].flatMap(({ 0: run, index }) => [
      start + index / units,
      start + (index + run.length) / units,
    ]),
  );
  starts.push(...SAMPLED_POINTS);
  startsOfProperties.set(raw, starts);
  return starts;
}
