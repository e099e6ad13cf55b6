import type { Late } from "./late.js";

/** One finding of a compiled validator, in AJV's shape. */
export interface ValidationIssue {
  readonly instancePath: string;
  /** The broken keyword. Findings of inputs have it only where the message alone does not help the caller. */
  readonly keyword?: string;
  readonly message?: string;
  /** Details that the message leaves out: the values of an `enum`, say. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A validator compiled at generation time; it never changes its argument. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidationIssue[] | null;
}

/** A handler with its types erased. */
export type AnyHandler<Result> = (input: never, context: never) => Result | Promise<Result>;

/** How an item is served. */
export interface ItemSettings {
  /** Whether the item starts switched on; absent where it cannot be switched. */
  readonly enabled?: boolean;
  /** Time limit of its handler, where that differs from the server's. */
  readonly timeoutMs?: number;
}

/** An item of any kind. */
export interface Item extends ItemSettings, Partial<ItemHandler> {
  readonly definition: { readonly name: string; readonly outputSchema?: unknown };
}

/** The lists of items that a server may have; a project has the types of those that it uses. */
export type ItemLists<Entry = Item> = {
  readonly [List in "tools" | "resources" | "resourceTemplates" | "prompts"]?: readonly Entry[];
};

/** What runs for an item that the project has code for. */
export interface ItemHandler {
  readonly handler: Late<AnyHandler<unknown>>;
  /** Absent where the handler asks nothing: only handlers that may ask are run so that they can. */
  readonly asks?: Asks;
}

/** What a handler may ask the client for in the middle of a call; `asking/` has its other members. */
export interface Asks {
  /** What is imported before the handler runs. */
  readonly imports?: readonly Late<unknown>[];
}

/** The values that are offered for an argument, or the code that finds them. */
export type CompletionSource = readonly string[] | Late<AnyHandler<unknown>>;
