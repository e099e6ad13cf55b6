import { ITEM_KINDS, type ItemKind } from "./connection/catalogue.js";

/** The item that the address of the page names. */
export interface ItemAddress {
  readonly kind: ItemKind;
  readonly key: string;
}

/** The URL fragment of an item. */
export function itemAddress(kind: ItemKind, key: string): string {
  return `#/${kind}/${encodeURIComponent(key.toWellFormed())}`;
}

/** Whether an address is that of an item. */
export function isAddressOf(address: ItemAddress | undefined, { kind, key }: ItemAddress): boolean {
  // Keys may have lone surrogates, which an address cannot have.
  return address?.kind === kind && address.key === key.toWellFormed();
}

/** The item that a URL fragment names; undefined for the overview. */
export function parseAddress(hash: string): ItemAddress | undefined {
  const [, kindName, encoded = ""] = /^#\/([a-z]+)\/(.+)$/.exec(hash) ?? [];
  const kind = ITEM_KINDS.find((one) => one === kindName);
  if (kind === undefined) return undefined;
  try {
    return { kind, key: decodeURIComponent(encoded) };
  } catch {
    return undefined;
  }
}
