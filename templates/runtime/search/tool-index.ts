import type { SearchEntry } from "./definition.js";
import { intentOf, meaningsOf, type Meaning } from "./synonyms.js";
import { stemsOf } from "./words.js";

/** The weight of a word in a description. A word in a name or title has the weight 1. */
const TEXT_WEIGHT = 0.05;

/** Parameters of BM25: `k1` limits the effect of repeated words, `b` sets the effect of a text's length. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.5;

/** The factor for the score of tools that read or change data, if the query asks for that. */
const INTENT = 1.15;

/** The maximum number of words of a query. Further words are ignored. */
const LONGEST_QUERY = 32;

/** The tools that contain a stem, by their numbers in rising order, with the stem's scores for each. */
interface Occurrences {
  readonly tools: number[];
  /** The stem's share of each tool's name and title. 0 if they do not contain it. */
  readonly headings: number[];
  /** The stem's BM25 term frequency in each tool's description. */
  readonly texts: number[];
  inHeadings: number;
  inTexts: number;
}

/**
 * Finds tools by words. A tool ranks high if its name and title contain the words of the query and few others.
 * Its description counts by BM25. A word and its synonyms count as one term: the best match in a tool gives
 * the score, the most common synonym gives the rarity. Tools of equal score keep their order.
 */
export class ToolIndex {
  readonly #names: readonly string[];
  readonly #reads: readonly boolean[];
  /** Each tool's scores for the query and for one word of it. Both arrays are reused. */
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
   * Returns the names of the tools that match a query, the best first.
   *
   * @param most The maximum number of names.
   * @param isWanted Whether the result may contain a tool.
   */
  find(query: string, most: number, isWanted: (name: string) => boolean): string[] {
    const scores = this.#scores.fill(0);
    const stems = stemsOf(query).slice(0, LONGEST_QUERY);
    const queryStems = new Set(stems);
    for (const stem of queryStems) {
      // A synonym that is itself a word of the query is left out, so that it does not count twice.
      const meanings = meaningsOf(stem).filter(
        (meaning) => meaning.stem === stem || !queryStems.has(meaning.stem),
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

  /** Returns for each tool the score of its best match among these meanings. */
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

  /** The weight of a word that this number of tools contains: the rarer, the higher. */
  #rarity(tools: number): number {
    return Math.log(1 + (this.#names.length - tools + 0.5) / (tools + 0.5));
  }

  /** @param length The length of the text, divided by the average length. */
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
