import { ITEM_KINDS, type ItemKind } from "./connection/catalogue.js";

/** What the page shows, as its address says: an item, or the overview. */
export interface Place {
  readonly kind: ItemKind;
  readonly key: string;
}

/** The address of an item within the page. */
export function itemAddress(kind: ItemKind, key: string): string {
  return `#/${kind}/${encodeURIComponent(key.toWellFormed())}`;
}

/** Whether an item is at a place. */
export function isAt(place: Place | undefined, { kind, key }: Place): boolean {
  // An address has no halves of characters, which keys may have.
  return place?.kind === kind && place.key === key.toWellFormed();
}

/** Undefined for the overview. */
export function placeOf(hash: string): Place | undefined {
  const [, named, encoded = ""] = /^#\/([a-z]+)\/(.+)$/.exec(hash) ?? [];
  const kind = ITEM_KINDS.find((one) => one === named);
  if (kind === undefined) return undefined;
  try {
    return { kind, key: decodeURIComponent(encoded) };
  } catch {
    return undefined;
  }
}
