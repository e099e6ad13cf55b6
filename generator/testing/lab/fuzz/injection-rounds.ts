import { fitted, hostileString } from "../../harness/random/hostile-text.js";
import {
  differences,
  emitManifest,
  emitModel,
  projectShape,
  rawCharacters,
  wrongValues,
  type Emission,
  type ProjectShape,
} from "../../harness/oracles/injection-oracle.js";
import { randomNumbers } from "../../harness/runner/random-numbers.js";
import { slottedManifest } from "../../harness/random/slotted-manifest.js";
import type { SlotKind } from "../../harness/random/slots.js";

/** Strings by their slots. */
type Filling = ReadonlyMap<string, string>;

/**
 * The strings that reach comments and documents only, where they are changed, and those that regular expressions and JSON
 * Pointers are made of.
 */
const CHANGED = /^env\..*\.description$|pattern|pointer/i;

/** How often a round has characters that a manifest may not hold. */
const FORBIDDEN_EVERY = 10;
const FORBIDDEN = ["\0", "\ud800", "\udfff"];

/**
 * Rounds of the property "no string of a manifest becomes code". A round compiles one manifest with
 * a hostile string in every slot, and compares its project with that of harmless strings.
 */
export class InjectionRounds {
  readonly #twin: ProjectShape;
  /** Slots in a manifest, and so strings in a round. */
  readonly slots: number;

  private constructor(twin: ProjectShape, slots: number) {
    this.#twin = twin;
    this.slots = slots;
  }

  static async prepare(): Promise<InjectionRounds> {
    const harmless = harmlessFilling();
    const twin = await emitManifest(slottedManifest((slot) => harmless.get(slot) ?? ""));
    return new InjectionRounds(projectShape(twin), harmless.size);
  }

  /** @throws Error that names the slot, its string and the result */
  async run(seed: number): Promise<void> {
    const isForbidden = seed % FORBIDDEN_EVERY === 0;
    const filling = hostileFilling(seed, isForbidden);
    const problems = await this.#problems(filling, isForbidden);
    if (problems.length === 0) return;
    const culprits = await this.#culprits([...filling], isForbidden);
    throw new Error([`seed ${seed}`, ...culprits, ...problems].join("\n"));
  }

  async #problems(filling: Filling, isForbidden: boolean): Promise<string[]> {
    try {
      const manifest = slottedManifest((slot) => filling.get(slot) ?? "");
      const emission = await (isForbidden ? emitModel : emitManifest)(manifest);
      return this.#judge(emission, filling);
    } catch (error) {
      return [String(error)];
    }
  }

  #judge(emission: Emission, filling: Filling): string[] {
    const kept = [...filling].filter(([slot]) => !CHANGED.test(slot)).map(([, text]) => text);
    return [
      ...differences(projectShape(emission), this.#twin),
      ...rawCharacters(emission),
      ...wrongValues(emission, kept),
    ];
  }

  /** The fewest slots that make trouble among harmless strings, found by halving. */
  async #culprits(slots: [string, string][], isForbidden: boolean): Promise<string[]> {
    const middle = Math.ceil(slots.length / 2);
    for (const half of [slots.slice(0, middle), slots.slice(middle)]) {
      if (half.length === slots.length) break;
      const filling = new Map([...harmlessFilling(), ...half]);
      const problems = await this.#problems(filling, isForbidden);
      if (problems.length > 0) return this.#culprits(half, isForbidden);
    }
    return slots.map(([slot, text]) => `${slot}: ${JSON.stringify(text)}`);
  }
}

function harmlessFilling(): Filling {
  return fill((kind, index) => fitted(`x${index}`, kind));
}

function hostileFilling(seed: number, isForbidden: boolean): Filling {
  const random = randomNumbers(seed);
  const used = new Set<string>();
  return fill((kind) => {
    let text = hostileString(random, kind);
    while (used.has(text)) text = hostileString(random, kind);
    used.add(text);
    const takesAny = ["text", "choice", "setting"].includes(kind);
    return isForbidden && takesAny ? text + FORBIDDEN[random(FORBIDDEN.length)] : text;
  });
}

function fill(stringFor: (kind: SlotKind, index: number) => string): Filling {
  const filling = new Map<string, string>();
  slottedManifest((slot, kind) => {
    if (filling.has(slot)) throw new Error(`two slots are called ${slot}`);
    const text = stringFor(kind, filling.size);
    filling.set(slot, text);
    return text;
  });
  return filling;
}
