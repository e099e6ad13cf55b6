import type { AST } from "@eslint-community/regexpp";

/** The least and the most characters that an element takes. */
export interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** The most positions of a repetition that is written out as copies. */
export const MOST_POSITIONS = 100;

const EMPTY: Lengths = { least: 0, most: 0 };

/** Says of elements of a pattern how long they are. Remembers each, since back references repeat whole groups. */
export class ElementSizes {
  readonly #lengths = new Map<AST.Element, Lengths>();
  readonly #positions = new Map<AST.Element, number>();

  lengthsOf(element: AST.Element): Lengths {
    const cached = this.#lengths.get(element);
    if (cached !== undefined) return cached;
    // A back reference to a group that contains it matches the empty text.
    this.#lengths.set(element, EMPTY);
    const lengths = this.#findLengths(element);
    this.#lengths.set(element, lengths);
    return lengths;
  }

  /** The lengths of a repetition with so many rounds. */
  lengthsOfRounds({ element, min, max }: Pick<AST.Quantifier, "element" | "min" | "max">): Lengths {
    const { least, most } = this.lengthsOf(element);
    return { least: least * min, most: most === 0 || max === 0 ? 0 : most * max };
  }

  /** In how many places the element takes a character, or asserts something, if repetitions are written out where that is short. */
  positionsOf(element: AST.Element): number {
    const cached = this.#positions.get(element);
    if (cached !== undefined) return cached;
    this.#positions.set(element, 0);
    const positions = this.#findPositions(element);
    this.#positions.set(element, positions);
    return positions;
  }

  #findLengths(element: AST.Element): Lengths {
    switch (element.type) {
      case "Assertion":
        return EMPTY;
      case "Quantifier":
        return this.lengthsOfRounds(element);
      case "Backreference":
        // The group may not have taken part in the match.
        return { least: 0, most: this.#sum([element.resolved].flat(), "most") };
      case "Group":
      case "CapturingGroup": {
        const { alternatives } = element;
        return {
          least: Math.min(...alternatives.map(({ elements }) => this.#sum(elements, "least"))),
          most: Math.max(...alternatives.map(({ elements }) => this.#sum(elements, "most"))),
        };
      }
      default:
        return { least: 1, most: 1 };
    }
  }

  #sum(elements: readonly AST.Element[], end: keyof Lengths): number {
    return elements.reduce((sum, element) => sum + this.lengthsOf(element)[end], 0);
  }

  #findPositions(element: AST.Element): number {
    switch (element.type) {
      case "Quantifier": {
        const body = this.positionsOf(element.element);
        return element.max * body <= MOST_POSITIONS ? element.max * body : body;
      }
      case "Backreference":
        return this.#allPositions([element.resolved].flat());
      case "Group":
      case "CapturingGroup":
        return this.#allPositions(element.alternatives.flatMap(({ elements }) => elements));
      default:
        return 1;
    }
  }

  #allPositions(elements: readonly AST.Element[]): number {
    return elements.reduce((sum, element) => sum + this.positionsOf(element), 0);
  }
}
