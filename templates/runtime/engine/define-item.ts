import type { Awaitable } from "./awaitable.js";
import type { AnyHandler, Asks, ItemHandler } from "./item.js";
import { cachedImport } from "./late.js";

/** The code of an item, as its module defines it. It is imported at the first use. */
export interface ItemCode<Input, Output, Context> {
  /** Absent if the manifest contains the answer. */
  readonly handler?: () => Promise<(input: Input, ctx: Context) => Awaitable<Output>>;
  readonly asks?: Asks;
}

/** Converts the code to the form of the server's tables: imports are cached, and handlers' types are erased. */
export function cachedCode<Input, Output, Context>({
  handler,
  asks,
}: ItemCode<Input, Output, Context>): Partial<ItemHandler> {
  return {
    ...(handler && { handler: cachedImport(handler as () => Promise<AnyHandler<unknown>>) }),
    ...(asks && { asks }),
  };
}
