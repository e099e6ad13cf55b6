import type { Caller } from "../context/context.js";
import { cursorOwner } from "../engine/cursor.js";
import type { Item } from "../engine/item.js";
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
import { mayUse } from "./may-use.js";

/** The maximum number of cached views of a list. */
const maxViews = 64;

/**
 * A list that shows each caller only the items that the caller may use. Callers who have the same of the
 * scopes that the items need share one view of the list.
 */
class FilteredItemList<Key extends string, Listed> implements PagedList<Key, Listed> {
  readonly #key: Key;
  readonly #entries: readonly ListEntry<Listed>[];
  readonly #runtime: Runtime;
  readonly #states: ItemStates;
  readonly #scopes: readonly string[];
  readonly #views = new Map<string, PagedItemList<Key, Listed>>();

  constructor(key: Key, entries: readonly ListEntry<Listed>[], runtime: Runtime) {
    this.#key = key;
    this.#entries = entries;
    this.#runtime = runtime;
    this.#states = statesOf(key, runtime.itemStates);
    this.#scopes = [...new Set(entries.flatMap(({ scopes = [] }) => scopes))].sort();
  }

  get canChange(): boolean {
    return this.#states.canChange;
  }

  isOn(name: string): boolean {
    return this.#states.isOn(name);
  }

  page(parameters: RequestParameters, caller: Caller): Page<Key, Listed> {
    const name = this.#viewNameOf(caller);
    return this.#view(name, caller).page(parameters, caller, name);
  }

  visibleTo(caller: Caller): VisibleItems<Listed> {
    const name = this.#viewNameOf(caller);
    return { positions: this.#view(name, caller).positions, owner: cursorOwner(caller, name) };
  }

  /** The scopes of the list that a caller has. A caller who is not authenticated has all of them. */
  #viewNameOf({ authentication }: Caller): string {
    const granted = authentication?.scopes ?? this.#scopes;
    return this.#scopes.filter((scope) => granted.includes(scope)).join(" ");
  }

  #view(name: string, caller: Caller): PagedItemList<Key, Listed> {
    const cached = this.#views.get(name);
    if (cached !== undefined) return cached;
    const { pageSize } = this.#runtime;
    const usableEntries = this.#entries.filter((entry) => mayUse(entry, caller.authentication));
    const view = new PagedItemList(this.#key, usableEntries, this.#states, pageSize);
    const [oldest] = this.#views.keys();
    if (oldest !== undefined && this.#views.size >= maxViews) this.#views.delete(oldest);
    this.#views.set(name, view);
    return view;
  }
}

/** Whether an item is hidden from a caller: the lists do not show it, and no request finds it. */
export function isHidden(item: Item, { authentication }: Partial<Caller>): boolean {
  return !mayUse(item, authentication);
}

/** Makes lists that show each caller only the items that the caller may use. */
export const createFilteredList: CreatePagedList = (key, entries, runtime) =>
  new FilteredItemList(key, entries, runtime);
