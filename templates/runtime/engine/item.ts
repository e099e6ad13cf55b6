import type { Late } from "./awaitable.js";
import type { Asks } from "../asking/definition.js";
import type { TextTemplate } from "./fixed-content.js";
import type { LatePart } from "../server/server-part.js";

/** An issue that a compiled validator found, in the form of AJV. */
export interface ValidationIssue {
  /** The JSON Pointer to the wrong part of the value; empty for the whole value. */
  readonly instancePath: string;
  /** The violated keyword. Issues of inputs have it only if the message alone does not help the caller. */
  readonly keyword?: string;
  /** The problem, as the end of a sentence: `must be string`. */
  readonly message?: string;
  /** Details that are not in the message, such as the values of an `enum`. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A validator, compiled when the project was generated. It never changes its argument. */
export interface Validator {
  /** Whether a value is valid. */
  (value: unknown): boolean;
  /** The issues of the last value; null or absent if it was valid. */
  errors?: readonly ValidationIssue[] | null;
}

/** A handler with its types erased. */
export type AnyHandler<Result> = (input: never, context: never) => Result | Promise<Result>;

/** The announcement that an item will be removed. */
export interface Deprecation {
  /** The version of the server that announced the removal. */
  readonly since?: string;
  /** The name of the item to use instead. */
  readonly use?: string;
  /** The version of the server that will not have the item. */
  readonly until?: string;
}

/** How an item is served. */
export interface ItemSettings {
  /** Time limit of its handler in milliseconds, if that differs from the server's. */
  readonly timeoutMs?: number;
  /** The OAuth scopes that a network caller needs. The caller must have all of them. */
  readonly scopes?: readonly string[];
  /** The announcement of its removal; absent if it stays. */
  readonly deprecated?: Deprecation;
  /** The groups by which operators and callers choose items. */
  readonly groups?: readonly string[];
  /** Whether the item is switched on at the start; absent if it cannot be switched. */
  readonly enabled?: boolean;
  /** What a server needs for items of this kind, imported when it is made. `defineResource` and the like set it. */
  readonly lateParts?: readonly LatePart[];
}

/** An item of any kind. */
export interface Item extends ItemSettings, Partial<ItemHandler> {
  readonly definition: { readonly name: string; readonly outputSchema?: unknown };
}

/** The lists of items that a server may have. */
export type ItemLists<Entry = Item> = {
  readonly [List in "tools" | "resources" | "resourceTemplates" | "prompts"]?: readonly Entry[];
};

/** The items of all lists. */
export function itemsOf(lists: ItemLists): readonly Item[] {
  const { tools = [], resources = [], resourceTemplates = [], prompts = [] } = lists;
  return [...tools, ...resources, ...resourceTemplates, ...prompts];
}

/** The code of an item that has a handler. */
export interface ItemHandler {
  /** Returns the handler, which is imported at its first use. */
  readonly handler: Late<AnyHandler<unknown>>;
  /** Absent if the handler cannot ask the client. */
  readonly asks?: Asks;
  /** The question to the user whether the handler may run; absent if nobody is asked. */
  readonly confirm?: TextTemplate;
}

/** The suggested values of an argument, or the code that returns them. */
export type CompletionSource = readonly string[] | Late<AnyHandler<unknown>>;
