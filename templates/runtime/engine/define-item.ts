import type { Awaitable } from "./awaitable.js";
import type { AnyHandler, ItemHandler } from "./item.js";
import { cachedImport } from "./late.js";

/** The code of an item, as its module defines it. It is imported at the first use. */
export interface ItemCode<Input, Output, Context> {
  /** Absent if the manifest contains the answer. */
  readonly handler?: () => Promise<(input: Input, ctx: Context) => Awaitable<Output>>;
}

/** Converts the handler to the form of the server's tables: its import is cached, and its types are erased. */
export function cachedHandler<Input, Output, Context>({
  handler,
}: ItemCode<Input, Output, Context>): Partial<ItemHandler> {
  if (handler === undefined) return {};
  return { handler: cachedImport(handler as () => Promise<AnyHandler<unknown>>) };
}
