import { invalidParams } from "./errors.js";
import type { CreateItemList, ItemList, ListEntry, Page } from "./item-list.js";
import type { ItemStates } from "./parts.js";
import type { RequestParameters } from "./request-parameters.js";

/** The states of items that cannot be switched. */
export const allOn: ItemStates = { version: 0, exist: false, isOn: () => true };

/** Items in their order; undefined where one is switched off, so that the places of the others stay. */
export type Places<Item> = readonly (Item | undefined)[];

/**
 * The list of one kind of item, in pages. A page is made once and is the same object until an item
 * is switched on or off.
 */
export class PagedItemList<Key extends string, Item> implements ItemList<Key, Item> {
  readonly #key: Key;
  readonly #entries: readonly ListEntry<Item>[];
  readonly #states: ItemStates;
  readonly #pageSize: number | undefined;
  #version = -1;
  #places: Places<Item> = [];
  #pages = new Map<unknown, Page<Key, Item>>();

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

  page({ cursor }: RequestParameters): Page<Key, Item> {
    this.#refresh();
    const made = this.#pages.get(cursor);
    if (made !== undefined) return made;
    const start = readCursor(cursor, this.#entries.length);
    const page = Object.freeze(pageOf(this.#key, this.#places, start, this.#pageSize));
    // One page for each item is the most that made-up cursors can lead to.
    this.#pages.set(cursor, page);
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
  return hasMore ? { ...page, nextCursor: writeCursor(next) } : page;
}

/**
 * A cursor is the place at which the next page starts: it stays right when items are switched on or
 * off between two pages.
 */
function writeCursor(place: number): string {
  return Buffer.from(`from ${place}`).toString("base64url");
}

/** @throws ProtocolError -32602 for what is no cursor, or leads past the last of so many places */
export function readCursor(cursor: unknown, places: number): number {
  if (cursor === undefined) return 0;
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString() : "";
  const place = Number(/^from ([1-9]\d{0,8})$/.exec(text)?.[1]);
  if (!(place < places) || writeCursor(place) !== cursor) throw invalidParams("Unknown cursor");
  return place;
}

/** Makes a list in pages whose items may be switched on and off. */
export const createPagedList: CreateItemList = (key, entries, { live, pageSize }) =>
  new PagedItemList(key, entries, live?.[key] ?? allOn, pageSize);
