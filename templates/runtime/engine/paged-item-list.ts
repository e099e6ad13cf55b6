import type { Caller } from "../context/context.js";
import { cursorOwner, nobody, readCursor, writeCursor, type CursorOwner } from "./cursor.js";
import type { ItemList, ListEntry, Page } from "./item-list.js";
import type { ItemStates, LiveState } from "./parts.js";
import type { RequestParameters } from "./request-parameters.js";
import type { Runtime } from "./runtime.js";

/** Items in their order; undefined where one is switched off, so that the places of the others stay. */
export type Places<Item> = readonly (Item | undefined)[];

/** What of a list a caller is shown. */
export interface ShownItems<Item> {
  readonly places: Places<Item>;
  /** Whom the cursors of its pages belong to. */
  readonly owner: CursorOwner;
}

/** A list in pages, of which callers may be shown different parts. */
export interface PagedList<Key extends string, Item> extends ItemList<Key, Item> {
  shownTo(caller: Caller): ShownItems<Item>;
}

/** Makes the list of one kind of item, in pages. */
export type CreatePagedList = <Key extends string, Item>(
  key: Key,
  entries: readonly ListEntry<Item>[],
  runtime: Runtime,
) => PagedList<Key, Item>;

/** The states of items that cannot be switched. */
export const allOn: ItemStates = { version: 0, exist: false, isOn: () => true };

/**
 * The list of one kind of item, in pages. A page is made once and, but for its cursor, is the same object
 * until an item is switched on or off.
 */
export class PagedItemList<Key extends string, Item> {
  readonly #key: Key;
  readonly #entries: readonly ListEntry<Item>[];
  readonly #states: ItemStates;
  readonly #pageSize: number | undefined;
  #version = -1;
  #places: Places<Item> = [];
  /** By the place at which they start, with cursors of nobody. */
  #pages = new Map<number, Page<Key, Item>>();

  constructor(
    key: Key,
    entries: readonly ListEntry<Item>[],
    states: ItemStates,
    pageSize: number | undefined,
  ) {
    this.#key = key;
    this.#entries = entries;
    this.#states = states;
    this.#pageSize = pageSize;
  }

  /** Every item that is switched on, at its place among all of them. */
  get places(): Places<Item> {
    this.#refresh();
    return this.#places;
  }

  /**
   * The page that a caller asks for.
   *
   * @param view Which part of the list it is that the caller is shown.
   * @throws ProtocolError -32602 for a cursor that was not given to this caller
   */
  page({ cursor }: RequestParameters, caller: Caller, view: string): Page<Key, Item> {
    this.#refresh();
    const places = this.#entries.length;
    const start = cursor === undefined ? 0 : readCursor(cursor, places, cursorOwner(caller, view));
    const page = this.#pageFrom(start);
    const { nextCursor } = page;
    if (caller.authentication === undefined || nextCursor === undefined) return page;
    const next = readCursor(nextCursor, places, nobody);
    return { ...page, nextCursor: writeCursor(next, cursorOwner(caller, view)) };
  }

  /** One page for each item is the most that made-up cursors can lead to. */
  #pageFrom(start: number): Page<Key, Item> {
    const made = this.#pages.get(start);
    if (made !== undefined) return made;
    const page = Object.freeze(pageOf(this.#key, this.#places, start, nobody, this.#pageSize));
    this.#pages.set(start, page);
    return page;
  }

  #refresh(): void {
    const { version } = this.#states;
    if (version === this.#version) return;
    this.#version = version;
    this.#pages = new Map();
    this.#places = this.#entries.map(({ definition }) =>
      this.#states.isOn(definition.name) ? definition : undefined,
    );
  }
}

/** @param size Items on a page; undefined for all of them. */
export function pageOf<Key extends string, Item>(
  key: Key,
  places: Places<Item>,
  start: number,
  owner: CursorOwner,
  size = Infinity,
): Page<Key, Item> {
  const items: Item[] = [];
  let next = start;
  for (; next < places.length && items.length < size; next++) {
    const item = places[next];
    if (item !== undefined) items.push(item);
  }
  const hasMore = places.slice(next).some((item) => item !== undefined);
  const page = { [key]: items } as { [K in Key]: Item[] };
  return hasMore ? { ...page, nextCursor: writeCursor(next, owner) } : page;
}

/** The view of those who are shown the whole of a list. */
const whole = "";

/** Makes a list in pages whose items may be switched on and off. */
export const createPagedList: CreatePagedList = (key, entries, { live, pageSize }) => {
  const list = new PagedItemList(key, entries, statesOf(key, live), pageSize);
  return {
    page: (parameters, caller) => list.page(parameters, caller, whole),
    shownTo: (caller) => ({ places: list.places, owner: cursorOwner(caller, whole) }),
  };
};

/** Which items of a list are switched on; templates are switched as resources are. */
export function statesOf(key: string, live: LiveState | undefined): ItemStates {
  if (live === undefined) return allOn;
  if (key === "tools" || key === "prompts") return live[key];
  return live.resources;
}
