import type { Awaitable } from "./awaitable.js";
import type { AnyHandler, Asks, ItemHandler } from "./item.js";
import { cachedImport } from "./late.js";

/** The code of an item, as its module states it. It is imported at the first use. */
export interface ItemCode<Input, Output, Context> {
  /** Absent where the answer stands in the manifest. */
  readonly handler?: () => Promise<(input: Input, ctx: Context) => Awaitable<Output>>;
  readonly asks?: Asks;
}

/** The same in the form of the server's tables: each import is cached, and the handler's types are erased. */
export function cachedCode<Input, Output, Context>({
  handler,
  asks,
}: ItemCode<Input, Output, Context>): Partial<ItemHandler> {
  return {
    ...(handler && { handler: cachedImport(handler as () => Promise<AnyHandler<unknown>>) }),
    ...(asks && { asks }),
  };
}
