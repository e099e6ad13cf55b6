import type { Awaitable } from "../engine/awaitable.js";
import type { AnyHandler, CompletionSource } from "../engine/item.js";
import { cachedImport } from "../engine/late.js";

/** What the code of a completion is asked. */
export interface CompletionQuery<Others extends string = string> {
  /** What was typed so far. */
  readonly value: string;
  /** The values of the other arguments, as far as the client knows them. */
  readonly given: { readonly [Name in Others]?: string };
}

/** What it answers: the values that fit, best first; of more than 100 the first 100 are sent. */
export type CompletionValues =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** How many there are altogether. */
      readonly total?: number;
      readonly hasMore?: boolean;
    };

/** The values offered for each argument or variable, or the code that finds them, imported at its first use. */
export interface CompletionSources<Values, Context> {
  readonly complete?: {
    readonly [Name in keyof Values & string]?:
      | readonly string[]
      | (() => Promise<CompletionCode<Exclude<keyof Values & string, Name>, Context>>);
  };
}

type CompletionCode<Others extends string, Context> = (
  query: CompletionQuery<Others>,
  ctx: Context,
) => Awaitable<CompletionValues>;

/** The same as the server's tables have it: each import is kept, and the types of the code are erased. */
export function cachedCompletions(complete: Readonly<Record<string, unknown>> | undefined): {
  readonly complete?: Readonly<Record<string, CompletionSource>>;
} {
  if (complete === undefined) return {};
  const sources = Object.entries(complete).map(([name, source]) => [
    name,
    typeof source === "function"
      ? cachedImport(source as () => Promise<AnyHandler<unknown>>)
      : source,
  ]);
  return { complete: Object.fromEntries(sources) as Record<string, CompletionSource> };
}
