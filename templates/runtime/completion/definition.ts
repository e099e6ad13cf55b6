import type { Awaitable } from "../engine/awaitable.js";

/** The argument of a completion's handler. */
export interface CompletionQuery<Others extends string = string> {
  /** The text that was typed so far. */
  readonly value: string;
  /** The values of the other arguments that the client has sent. */
  readonly given: { readonly [Name in Others]?: string };
}

/** The result: the fitting values, best first. At most the first 100 are sent. */
export type CompletionValues =
  | readonly string[]
  | {
      /** The fitting values, best first. */
      readonly values: readonly string[];
      /** The number of all fitting values. */
      readonly total?: number;
      /** Whether there are more values than these. */
      readonly hasMore?: boolean;
    };

/** The suggestions for each argument or variable, or the handler that finds them, imported at its first use. */
export interface CompletionSources<Values, Context> {
  /** By argument or variable: the suggested values, or a function that imports the code that finds them. */
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
