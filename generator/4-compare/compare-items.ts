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
import { announcedRemoval } from "./compare-deprecations.js";
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

/** How the items of one kind are compared. */
export interface ItemComparison {
  readonly list: ListName;
  /** A removed item and an added one are taken for the same if the values of these keys are equal. */
  readonly likeness: readonly string[];
  /** Compares what only this kind of item has; the item may be renamed. */
  readonly compare: (pair: ItemPair) => SemanticChange[];
  /** Reports a new name, in place of the catalogue's `renamed`. */
  readonly renamed?: (pair: ItemPair) => SemanticChange[];
  /** Reports a removed item, in place of the catalogue's `removed`, unless it answers undefined. */
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
  const { pairs, added, removed } = matchItems(before, after, list);
  const twins = new Twins(added, comparison.likeness);
  const areSharedSchemasAlike = haveSameJson(
    mappingOf(before, "schemas"),
    mappingOf(after, "schemas"),
  );
  // Shared schemas are the only part of the manifest outside an item on which the item depends.
  const isUnchanged = ({ before: was, after: is }: ItemPair): boolean =>
    haveSameJson(was.value, is.value) && (areSharedSchemasAlike || !mayRefer(cachedJson(is.value)));
  return [
    ...pairs.flatMap((pair) => (isUnchanged(pair) ? [] : comparePair(pair, comparison))),
    ...added.map((item) => rules.added(placeIn(item), { name: item.name })),
    ...removed.flatMap((item) => {
      const place = { at: [list], name: [list, item.name] };
      const twin = twins.take(item);
      const parameters = { name: item.name, ...(twin !== undefined && { twin }) };
      return (
        comparison.removed?.(item) ??
        announcedRemoval(item, after) ?? [rules.removed(place, parameters)]
      );
    }),
  ];
}

function comparePair(pair: ItemPair, comparison: ItemComparison): SemanticChange[] {
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

/** Finds the added item that is like a removed one; each added item is given out once. */
class Twins {
  readonly #names = new Map<string, string[]>();
  readonly #likeness: readonly string[];

  constructor(items: readonly ManifestItem[], likeness: readonly string[]) {
    this.#likeness = likeness;
    for (const item of items) {
      const fingerprint = this.#fingerprint(item);
      this.#names.set(fingerprint, [...(this.#names.get(fingerprint) ?? []), item.name]);
    }
  }

  /** The name of an added item that is like the removed one. */
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
