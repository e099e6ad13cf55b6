import type { Caller } from "../context/context.js";
import { cursorOwner } from "../engine/cursor.js";
import type { Item, ItemSettings } from "../engine/item.js";
import type { ListEntry, Page } from "../engine/item-list.js";
import {
  PagedItemList,
  type CreatePagedList,
  type PagedList,
  type VisibleItems,
} from "../engine/paged-item-list.js";
import { statesOf, type ItemStates } from "../engine/item-states.js";
import type { RequestParameters } from "../engine/request-parameters.js";
import type { Runtime } from "../engine/runtime.js";
import type { Authentication } from "./authentication.js";
import { mayUse } from "./may-use.js";

/** The maximum number of cached views of a list. */
const maxViews = 64;

/** What a caller gets of a list. */
interface ListView {
  /** Names the part of the list. Callers with the same name get the same part. */
  readonly name: string;
  /** Whether the caller gets an item. */
  leaves(item: Item): boolean;
}

/** Decides what callers get of a list with these items. */
export type ListFilter = (
  items: readonly ItemSettings[],
) => (caller: Authentication | undefined) => ListView;

/** Callers get the items that they may use. Those who have the same of the scopes that the items need get the same. */
export const usableItems: ListFilter = (items) => {
  const needed = [...new Set(items.flatMap(({ scopes = [] }) => scopes))].sort();
  return (caller) => {
    // A caller who is not authenticated has all scopes.
    const granted = caller?.scopes ?? needed;
    return {
      name: needed.filter((scope) => granted.includes(scope)).join(" "),
      leaves: (item) => mayUse(item, caller),
    };
  };
};

/** A list that shows each caller only what all its filters leave. Callers who get the same share one view of the list. */
class FilteredItemList<Key extends string, Listed> implements PagedList<Key, Listed> {
  readonly #key: Key;
  readonly #entries: readonly ListEntry<Listed>[];
  readonly #runtime: Runtime;
  readonly #states: ItemStates;
  readonly #filters: readonly ReturnType<ListFilter>[];
  readonly #views = new Map<string, PagedItemList<Key, Listed>>();

  constructor(
    key: Key,
    entries: readonly ListEntry<Listed>[],
    runtime: Runtime,
    filters: readonly ListFilter[],
  ) {
    this.#key = key;
    this.#entries = entries;
    this.#runtime = runtime;
    this.#states = statesOf(key, runtime.itemStates);
    this.#filters = filters.map((filter) => filter(entries));
  }

  get canChange(): boolean {
    return this.#states.canChange;
  }

  isOn(name: string): boolean {
    return this.#states.isOn(name);
  }

  page(parameters: RequestParameters, caller: Caller): Page<Key, Listed> {
    const { name, items } = this.#viewOf(caller);
    return items.page(parameters, caller, name);
  }

  visibleTo(caller: Caller): VisibleItems<Listed> {
    const { name, items } = this.#viewOf(caller);
    return { positions: items.positions, owner: cursorOwner(caller, name) };
  }

  #viewOf({ authentication }: Caller): { name: string; items: PagedItemList<Key, Listed> } {
    const views = this.#filters.map((filter) => filter(authentication));
    const name = views.map((view) => view.name).join("\n");
    const cached = this.#views.get(name);
    if (cached !== undefined) return { name, items: cached };
    const { pageSize } = this.#runtime;
    const left = this.#entries.filter((entry) => views.every((view) => view.leaves(entry)));
    const items = new PagedItemList(this.#key, left, this.#states, pageSize);
    const [oldest] = this.#views.keys();
    if (oldest !== undefined && this.#views.size >= maxViews) this.#views.delete(oldest);
    this.#views.set(name, items);
    return { name, items };
  }
}

/** Whether an item is hidden from a caller: the lists do not show it, and no request finds it. */
export function isHidden(item: Item, { authentication }: Partial<Caller>): boolean {
  return !mayUse(item, authentication);
}

/** Makes lists that show each caller only what all filters leave. */
export function filterLists(filters: readonly ListFilter[]): CreatePagedList {
  return (key, entries, runtime) => new FilteredItemList(key, entries, runtime, filters);
}

/** Makes lists that show each caller only the items that the caller may use. */
export const createFilteredList: CreatePagedList = filterLists([usableItems]);
