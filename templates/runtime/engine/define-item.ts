import type { Awaitable } from "./awaitable.js";
import type { AnyHandler, Asks, ItemHandler } from "./item.js";
import { cachedImport } from "./late.js";

/** The code of an item as its module says it: what is needed at the first use is imported then. */
export interface ItemCode<Input, Output, Context> {
  /** Absent where the answer stands in the manifest. */
  readonly handler?: () => Promise<(input: Input, ctx: Context) => Awaitable<Output>>;
  readonly asks?: Asks;
}

/** The same as the server's tables have it: each import is kept, and the types of the handler are erased. */
export function cachedCode<Input, Output, Context>({
  handler,
  asks,
}: ItemCode<Input, Output, Context>): Partial<ItemHandler> {
  return {
    ...(handler && { handler: cachedImport(handler as () => Promise<AnyHandler<unknown>>) }),
    ...(asks && { asks }),
  };
}
