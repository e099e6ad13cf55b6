import type { Caller } from "../context/context.js";
import { cursorOwner, nobody, readCursor, writeCursor, type CursorOwner } from "./cursor.js";
import type { ItemList, ListEntry, Page } from "./item-list.js";
import { statesOf, type ItemStates } from "./item-states.js";
import type { RequestParameters } from "./request-parameters.js";
import type { Runtime } from "./runtime.js";

/** All items in order. An item that is switched off is undefined, so that the others keep their positions. */
export type ItemPositions<Item> = readonly (Item | undefined)[];

/** The part of a list that a caller can see. */
export interface VisibleItems<Item> {
  readonly positions: ItemPositions<Item>;
  /** The owner of the cursors of its pages. */
  readonly owner: CursorOwner;
}

/** A list in pages. Each caller may see another part of it. */
export interface PagedList<Key extends string, Item> extends ItemList<Key, Item> {
  visibleTo(caller: Caller): VisibleItems<Item>;
}

/** Makes the list of one kind of item, in pages. */
export type CreatePagedList = <Key extends string, Item>(
  key: Key,
  entries: readonly ListEntry<Item>[],
  runtime: Runtime,
) => PagedList<Key, Item>;

/**
 * The list of one kind of item, in pages. Pages are cached until an item is switched on or off.
 */
export class PagedItemList<Key extends string, Item> {
  readonly #key: Key;
  readonly #entries: readonly ListEntry<Item>[];
  readonly #states: ItemStates;
  readonly #pageSize: number | undefined;
  #version = -1;
  #positions: ItemPositions<Item> = [];
  /** The pages by the position of their start, with cursors for callers who are not authenticated. */
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

  /** The items that are switched on, at their positions among all items. */
  get positions(): ItemPositions<Item> {
    this.#refresh();
    return this.#positions;
  }

  /**
   * The page that a caller requests.
   *
   * @param view A name for the part of the list that the caller can see.
   * @throws ProtocolError -32602 for a cursor that was not made for this caller
   */
  page({ cursor }: RequestParameters, caller: Caller, view: string): Page<Key, Item> {
    this.#refresh();
    const count = this.#entries.length;
    const start = cursor === undefined ? 0 : readCursor(cursor, count, cursorOwner(caller, view));
    const page = this.#pageFrom(start);
    const { nextCursor } = page;
    if (caller.authentication === undefined || nextCursor === undefined) return page;
    const next = readCursor(nextCursor, count, nobody);
    return { ...page, nextCursor: writeCursor(next, cursorOwner(caller, view)) };
  }

  /** Forged cursors can fill the cache with at most one page for each item. */
  #pageFrom(start: number): Page<Key, Item> {
    const cached = this.#pages.get(start);
    if (cached !== undefined) return cached;
    const page = Object.freeze(pageOf(this.#key, this.#positions, start, nobody, this.#pageSize));
    this.#pages.set(start, page);
    return page;
  }

  #refresh(): void {
    const { version } = this.#states;
    if (version === this.#version) return;
    this.#version = version;
    this.#pages = new Map();
    this.#positions = this.#entries.map(({ definition }) =>
      this.#states.isOn(definition.name) ? definition : undefined,
    );
  }
}

/** Makes the page that starts at a position. @param size Most items on the page; undefined for all of them. */
export function pageOf<Key extends string, Item>(
  key: Key,
  positions: ItemPositions<Item>,
  start: number,
  owner: CursorOwner,
  size = Infinity,
): Page<Key, Item> {
  const items: Item[] = [];
  let next = start;
  for (; next < positions.length && items.length < size; next++) {
    const item = positions[next];
    if (item !== undefined) items.push(item);
  }
  const hasMore = positions.slice(next).some((item) => item !== undefined);
  const page = { [key]: items } as { [K in Key]: Item[] };
  return hasMore ? { ...page, nextCursor: writeCursor(next, owner) } : page;
}

/** The view of the complete list. */
const completeView = "";

/** Makes a list in pages whose items may be switched on and off. */
export const createPagedList: CreatePagedList = (key, entries, { itemStates, pageSize }) => {
  const states = statesOf(key, itemStates);
  const list = new PagedItemList(key, entries, states, pageSize);
  return {
    canChange: states.canChange,
    isOn: (name) => states.isOn(name),
    page: (parameters, caller) => list.page(parameters, caller, completeView),
    visibleTo: (caller) => ({
      positions: list.positions,
      owner: cursorOwner(caller, completeView),
    }),
  };
};
