import {
  haveSameJson,
  isJsonObject,
  cachedJson,
  type JsonObject,
  type JsonValue,
} from "../model/json.js";
import { mayRefer } from "../schema/schema-reference.js";
import type { SemanticChange } from "../model/plan.js";
import { itemRulesOf, type ListName } from "./catalogue/items.js";
import { compareItemServing } from "./compare-serving.js";
import { compareQuestions } from "./compare-questions.js";
import { compareItemSettings } from "./compare-item-settings.js";
import { compareTexts } from "./compare-texts.js";
import {
  mappingOf,
  matchItems,
  placeIn,
  type ItemPair,
  type ManifestItem,
} from "./manifest-items.js";

/** What kinds of item differ in. */
export interface ItemComparison {
  readonly list: ListName;
  /** The members by which a removed item and a new one are taken for the same under two names. */
  readonly likeness: readonly string[];
  /** What is particular to the kind; the item may be renamed. */
  readonly compare: (pair: ItemPair) => SemanticChange[];
  /** What is said of a new name; `renamed` of the catalogue where it is not given. */
  readonly renamed?: (pair: ItemPair) => SemanticChange[];
  /** What is said of an item that is gone, in place of `removed` of the catalogue. */
  readonly removed?: (item: ManifestItem) => SemanticChange[] | undefined;
}

/** The changes of one kind of item, in the order of the new manifest, removed items last. */
export function compareItems(
  before: JsonObject,
  after: JsonObject,
  comparison: ItemComparison,
): SemanticChange[] {
  const { list } = comparison;
  const rules = itemRulesOf[list];
  const { kept, added, removed } = matchItems(before, after, list);
  const twins = new Twins(added, comparison.likeness);
  const areSharesAlike = haveSameJson(mappingOf(before, "schemas"), mappingOf(after, "schemas"));
  // Of all that is outside of it, an item has only shared schemas to do with.
  const isUnchanged = ({ before: was, after: is }: ItemPair): boolean =>
    haveSameJson(was.value, is.value) && (areSharesAlike || !mayRefer(cachedJson(is.value)));
  return [
    ...kept.flatMap((pair) => (isUnchanged(pair) ? [] : compareKept(pair, comparison))),
    ...added.map((item) => rules.added(placeIn(item), { name: item.name })),
    ...removed.flatMap((item) => {
      const place = { at: [list], name: [list, item.name] };
      const twin = twins.take(item);
      const parameters = { name: item.name, ...(twin !== undefined && { twin }) };
      return comparison.removed?.(item) ?? [rules.removed(place, parameters)];
    }),
  ];
}

function compareKept(pair: ItemPair, comparison: ItemComparison): SemanticChange[] {
  const { before, after } = pair;
  const names = { from: before.name, to: after.name };
  const defaultRename = (): SemanticChange[] => [
    itemRulesOf[comparison.list].renamed(placeIn(after, "name"), names),
  ];
  return [
    ...(before.name === after.name ? [] : (comparison.renamed?.(pair) ?? defaultRename())),
    ...compareTexts(before.value, after.value, placeIn(after)),
    ...compareItemSettings(pair),
    ...comparison.compare(pair),
    ...compareItemServing(pair),
    ...compareQuestions(pair),
  ];
}

/** New items by what they are like, each to be taken once. */
class Twins {
  readonly #names = new Map<string, string[]>();
  readonly #likeness: readonly string[];

  constructor(items: readonly ManifestItem[], likeness: readonly string[]) {
    this.#likeness = likeness;
    for (const item of items) {
      const print = this.#fingerprint(item);
      this.#names.set(print, [...(this.#names.get(print) ?? []), item.name]);
    }
  }

  take(item: ManifestItem): string | undefined {
    return this.#names.get(this.#fingerprint(item))?.shift();
  }

  #fingerprint({ value }: ManifestItem): string {
    return JSON.stringify(
      this.#likeness.map((name) => value[name] ?? null),
      withoutTexts,
    );
  }
}

function withoutTexts(key: string, value: JsonValue): JsonValue | undefined {
  const isText = ["title", "description"].includes(key) && !isJsonObject(value);
  return isText ? undefined : value;
}
