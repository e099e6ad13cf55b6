import { visitRegExpAST, type AST } from "@eslint-community/regexpp";
import type { CharacterElement } from "../../../../schema/patterns/alphabet.js";
import type { RandomNumbers } from "../../../harness/runner/random-numbers.js";

/** Texts of many kinds that a pattern may take long to refuse: a start, something repeated, and an end. */
export interface AttackText {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** The text with a length of about so many characters. */
export function pumped({ prefix, pump, suffix }: AttackText, length: number): string {
  const rest = length - [...prefix].length - [...suffix].length;
  return prefix + pump.repeat(Math.max(0, Math.floor(rest / [...pump].length))) + suffix;
}

const USUAL_CHARACTERS = [..."a0Z_ -.:/@\nébжц漢😀\u0301\u{1f1e6}\ud800"];
const MAX_CHARACTERS = 24;

/** Makes attacks of the parts of a pattern. */
export function attackTexts(pattern: AST.Pattern, random: RandomNumbers): AttackText[] {
  const maker = new AttackMaker(pattern, random);
  return maker.attacks();
}

class AttackMaker {
  readonly #pattern: AST.Pattern;
  readonly #random: RandomNumbers;
  readonly #characters: readonly string[];
  readonly #matching = new Map<string, readonly string[]>();
  readonly #quantifiers: AST.Quantifier[] = [];

  constructor(pattern: AST.Pattern, random: RandomNumbers) {
    this.#pattern = pattern;
    this.#random = random;
    const elements: CharacterElement[] = [];
    visitRegExpAST(pattern, {
      onCharacterEnter: (element) => elements.push(element),
      onCharacterSetEnter: (element) => elements.push(element),
      onCharacterClassEnter: (element) => elements.push(element),
      onQuantifierEnter: (quantifier) => this.#quantifiers.push(quantifier),
    });
    this.#characters = this.#distinctCharacters(elements);
  }

  attacks(): AttackText[] {
    const found: AttackText[] = [];
    const suffixes = ["", "\u0001"];
    const add = (prefix: string, pump: string): void => {
      if (pump === "") return;
      for (const suffix of suffixes) found.push({ prefix, pump, suffix });
    };
    for (const character of this.#characters) add("", character);
    for (let word = 0; word < 6; word++)
      add("", this.#one(this.#characters) + this.#one(this.#characters));
    add("", this.#alternatives(this.#pattern.alternatives));
    for (const quantifier of this.#some(this.#quantifiers, 16)) {
      const prefix = this.#before(quantifier);
      const [body, other] = [this.#sample(quantifier.element), this.#sample(quantifier.element)];
      add(prefix, body);
      add(prefix, body + other);
      add(this.#before(quantifier), this.#sample(quantifier) + this.#after(quantifier));
      const shared = this.#sharedWithNext(quantifier, body);
      if (shared !== undefined) add(prefix, shared);
    }
    return found;
  }

  /** One character of each kind that the elements tell apart. */
  #distinctCharacters(elements: readonly CharacterElement[]): string[] {
    const tests = [...new Set(elements.map(({ raw }) => raw))].map((raw) => {
      try {
        return new RegExp(`^${raw}$`, "u");
      } catch {
        return /^a$/;
      }
    });
    const ends = elements.flatMap((element) =>
      element.type === "Character"
        ? [element.value]
        : element.type === "CharacterClass"
          ? element.elements.flatMap((part) =>
              part.type === "CharacterClassRange" ? [part.min.value, part.max.value] : [],
            )
          : [],
    );
    const candidates = [...USUAL_CHARACTERS, ...ends.map((point) => String.fromCodePoint(point))];
    const bySignature = new Map<string, string>();
    for (const candidate of candidates) {
      const signature = tests.map((test) => (test.test(candidate) ? "1" : "0")).join("");
      if (signature.includes("1") && !bySignature.has(signature))
        bySignature.set(signature, candidate);
    }
    return this.#some([...bySignature.values()], MAX_CHARACTERS);
  }

  #some<T>(values: readonly T[], count: number): T[] {
    if (values.length <= count) return [...values];
    return Array.from({ length: count }, () => values[this.#random(values.length)] as T);
  }

  #one(values: readonly string[]): string {
    return values[this.#random(values.length)] ?? "a";
  }

  /** A text for what stands before a node in the alternatives that contain it. */
  #before(node: AST.Node): string {
    const { parent } = node;
    if (parent === null) return "";
    if (parent.type !== "Alternative") return this.#before(parent);
    const siblings = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element));
    return this.#before(parent) + this.#sequence(siblings);
  }

  /** A text for what directly follows a node. */
  #after(node: AST.Quantifier): string {
    const { parent } = node;
    if (parent.type !== "Alternative") return "";
    const next = parent.elements[parent.elements.indexOf(node) + 1];
    return next === undefined ? "" : this.#sample(next);
  }

  /** A character that both a repetition and the next one take. */
  #sharedWithNext({ element }: AST.Quantifier, body: string): string | undefined {
    return this.#characters.find((character) => this.#matchesOne(element, character)) ?? body;
  }

  #matchesOne(element: AST.Element, character: string): boolean {
    try {
      return new RegExp(`^(?:${element.raw})$`, "u").test(character);
    } catch {
      return false;
    }
  }

  #sequence(elements: readonly AST.Element[]): string {
    return elements.map((element) => this.#sample(element)).join("");
  }

  #alternatives(alternatives: readonly AST.Alternative[]): string {
    return this.#sequence(alternatives[this.#random(alternatives.length)]?.elements ?? []);
  }

  #sample(element: AST.Element): string {
    switch (element.type) {
      case "Group":
      case "CapturingGroup":
        return this.#alternatives(element.alternatives);
      case "Quantifier": {
        const rounds = Math.min(element.max, element.min + this.#random(2));
        return Array.from({ length: Math.min(70, rounds) }, () => this.#sample(element.element))
          .join("")
          .slice(0, 300);
      }
      case "Assertion":
      case "Backreference":
      case "ExpressionCharacterClass":
        return "";
      default:
        return this.#one(this.#charactersOf(element));
    }
  }

  #charactersOf(element: CharacterElement): readonly string[] {
    if (element.type === "Character") return [String.fromCodePoint(element.value)];
    const known = this.#matching.get(element.raw);
    if (known !== undefined) return known;
    const test = new RegExp(`^${element.raw}$`, "u");
    const found = [...this.#characters, ...USUAL_CHARACTERS].filter((character) =>
      test.test(character),
    );
    this.#matching.set(element.raw, found);
    return found;
  }
}
