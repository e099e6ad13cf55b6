import type { SearchEntry } from "./definition.js";
import { intentOf, meaningsOf, type Meaning } from "./synonyms.js";
import { stemsOf } from "./words.js";

/** How much a word in a description counts beside one in a name or title. */
const TEXT_WEIGHT = 0.05;

/** Of BM25: how soon more of the same word counts less, and how much the length of a text matters. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;

/** How much more a tool counts that does what a query wants: tells something, or changes something. */
const INTENT = 1.15;

/** Most words of a query that count. */
const LONGEST_QUERY = 32;

/** A stem: the numbers of the tools that have it, in rising order, and what it is worth to each. */
interface Occurrences {
  readonly tools: number[];
  /** What part of a name and title it is; 0 where it is not in them. */
  readonly headings: number[];
  /** How much of a description it is, as BM25 counts it. */
  readonly texts: number[];
  inHeadings: number;
  inTexts: number;
}

/**
 * Finds tools by words. A tool ranks high where its name and title say what is asked for and little else;
 * its description counts by BM25. A word and its synonyms are one thing: of a tool that has several of them
 * the best counts, and the commonest of them says how common that thing is. Of equals, the first comes first.
 */
export class ToolIndex {
  readonly #names: readonly string[];
  readonly #reads: readonly boolean[];
  /** What the tools come to, with the query and with one word of it; filled anew for each. */
  readonly #scores: Float64Array;
  readonly #best: Float64Array;
  readonly #occurrences = new Map<string, Occurrences>();

  constructor(entries: readonly SearchEntry[]) {
    this.#names = entries.map(({ name }) => name);
    this.#reads = entries.map(({ reads }) => reads);
    this.#scores = new Float64Array(entries.length);
    this.#best = new Float64Array(entries.length);
    const tools = entries.map(({ heading, text }) => ({
      heading: new Set(split(heading)),
      text: split(text),
    }));
    for (const { heading, text } of tools) {
      for (const stem of heading) this.#at(stem).inHeadings++;
      for (const stem of new Set(text)) this.#at(stem).inTexts++;
    }
    const length = tools.reduce((sum, { text }) => sum + text.length, 0) / tools.length;
    for (const [tool, { heading, text }] of tools.entries()) {
      this.#add(tool, heading, text, text.length / Math.max(length, 1));
    }
  }

  /**
   * Names of the tools that have anything of a query, the best first.
   *
   * @param most how many at most
   * @param isWanted whether a tool may be among them
   */
  find(query: string, most: number, isWanted: (name: string) => boolean): string[] {
    const scores = this.#scores.fill(0);
    const stems = stemsOf(query).slice(0, LONGEST_QUERY);
    const asked = new Set(stems);
    for (const stem of asked) {
      // A word that is asked for stands for itself, and for no other word of the query.
      const meanings = meaningsOf(stem).filter(
        (meaning) => meaning.stem === stem || !asked.has(meaning.stem),
      );
      const best = this.#bestMeanings(meanings);
      for (let tool = 0; tool < scores.length; tool++) scores[tool]! += best[tool]!;
    }
    const intent = intentOf(stems);
    if (intent !== undefined) {
      this.#reads.forEach((reads, tool) => {
        if (reads === (intent === "read")) scores[tool]! *= INTENT;
      });
    }
    return this.#highest(most, isWanted);
  }

  /** For each tool what the best of these meanings comes to. */
  #bestMeanings(meanings: readonly Meaning[]): Float64Array {
    const best = this.#best.fill(0);
    const found = meanings.flatMap(({ stem, weight }) => {
      const occurrences = this.#occurrences.get(stem);
      return occurrences === undefined ? [] : [{ weight, ...occurrences }];
    });
    const rarity = this.#rarity(Math.max(0, ...found.map(({ inHeadings }) => inHeadings)));
    const inTexts = Math.max(0, ...found.map((occurrences) => occurrences.inTexts));
    const textRarity = this.#rarity(inTexts) * TEXT_WEIGHT;
    for (const { weight, tools, headings, texts } of found) {
      for (let index = 0; index < tools.length; index++) {
        const tool = tools[index]!;
        const score = weight * (rarity * headings[index]! + textRarity * texts[index]!);
        if (score > best[tool]!) best[tool] = score;
      }
    }
    return best;
  }

  /** The names of the tools with the highest scores. */
  #highest(most: number, isWanted: (name: string) => boolean): string[] {
    const found: { readonly name: string; readonly score: number }[] = [];
    this.#scores.forEach((score, tool) => {
      const last = found.length < most ? 0 : (found.at(-1)?.score ?? 0);
      if (score <= last) return;
      const name = this.#names[tool]!;
      if (!isWanted(name)) return;
      const place = found.findIndex((other) => other.score < score);
      found.splice(place === -1 ? found.length : place, 0, { name, score });
      found.length = Math.min(found.length, most);
    });
    return found.map(({ name }) => name);
  }

  /** How much a word says that so many tools have. */
  #rarity(tools: number): number {
    return Math.log(1 + (this.#names.length - tools + 0.5) / (tools + 0.5));
  }

  /** @param length how long the text is beside the average */
  #add(tool: number, heading: ReadonlySet<string>, text: readonly string[], length: number): void {
    const squares = [...heading].map((stem) => this.#rarity(this.#at(stem).inHeadings) ** 2);
    const size = Math.sqrt(squares.reduce((sum, square) => sum + square, 0));
    const counts = new Map<string, number>();
    for (const stem of text) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    const saturation = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
    for (const stem of new Set([...heading, ...text])) {
      const { tools, headings, texts } = this.#at(stem);
      const count = counts.get(stem) ?? 0;
      tools.push(tool);
      headings.push(heading.has(stem) ? 1 / size : 0);
      texts.push((count * (SATURATION + 1)) / (count + saturation));
    }
  }

  #at(stem: string): Occurrences {
    const found = this.#occurrences.get(stem);
    if (found !== undefined) return found;
    const occurrences = { tools: [], headings: [], texts: [], inHeadings: 0, inTexts: 0 };
    this.#occurrences.set(stem, occurrences);
    return occurrences;
  }
}

function split(stems: string): string[] {
  return stems === "" ? [] : stems.split(" ");
}
