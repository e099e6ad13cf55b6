import type { ItemKind } from "./catalogue.js";

/** What the server says of an item beside the protocol's lists. */
export interface ItemMarks {
  readonly groups?: readonly string[];
  /** What is announced of its end; absent if it stays. */
  readonly deprecated?: {
    readonly since?: string;
    readonly use?: string;
    readonly until?: string;
  };
  /** Whether a person is asked before each call. */
  readonly confirm?: boolean;
}

/** Values of items, by their kinds and keys. Names such as `constructor` are keys like others. */
export type OfItems<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/** The value of an item; undefined if it has none. */
export function valueOf<Value>(
  values: OfItems<Value> | undefined,
  { kind, key }: { readonly kind: ItemKind; readonly key: string },
): Value | undefined {
  const ofKind = values?.[kind];
  return ofKind !== undefined && Object.hasOwn(ofKind, key) ? ofKind[key] : undefined;
}

/** The type by which the server knows a request for the marks. */
const MARKS_TYPE = "application/vnd.mcpwright.item-marks+json";

/** Requests the marks of all items that the caller may see. Without an answer there are none. */
export async function loadMarks(
  url: string,
  token: string | undefined,
): Promise<OfItems<ItemMarks>> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    const answer = await fetch(url, { headers: { accept: MARKS_TYPE, ...authorization } });
    return answer.ok ? ((await answer.json()) as OfItems<ItemMarks>) : {};
  } catch {
    return {};
  }
}
