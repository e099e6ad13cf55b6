import type { CacheHint, Implementation } from "@modelcontextprotocol/server";
import type { CreateItemList } from "./item-list.js";
import type { SetLimits } from "./limits.js";
import type { ExactNumbers, Feature, LiveState, Methods } from "./parts.js";
import type { Asking, Runtime } from "./runtime.js";

/**
 * What the generated tables hand to the runtime: everything the compiler knew about the server.
 * The tables are checked against the user's handlers where they are written; here the handlers'
 * types are erased, since one runtime serves them all. What only some projects have (resources,
 * prompts, listeners) adds its own members in its own folder.
 */
export interface ServerDefinition extends RuntimeParts {
  readonly info: Implementation;
  readonly instructions?: string;
  readonly transports: readonly TransportDefinition[];
  /** Whether clients of the older eras are served beside those of 2026-07-28. */
  readonly protocol: { readonly legacy: "serve" | "reject" };
  /** Caching hints of every list and read; an item may have its own. */
  readonly cache?: CacheHint;
  /** Items on a page of a list; all of them where it is absent. */
  readonly pageSize?: number;
  /** Where the server's limits differ from the runtime's defaults. */
  readonly limits?: SetLimits;
}

/** The transports that there are, by their kinds. */
export interface TransportDefinitions {
  readonly stdio: { readonly type: "stdio" };
}

export type TransportDefinition = TransportDefinitions[keyof TransportDefinitions];

/**
 * The parts of the runtime that a project has only where its manifest uses them: the generated
 * definition names the function that makes each, so that nothing else is copied or loaded. A part
 * that is asked for in one room only is declared there.
 */
export interface RuntimeParts {
  /** Lists tools that find and call all others, in place of these. */
  readonly createSearchedTools?: CreateFeature;
  /** What the server can do for its clients beside tools. */
  readonly otherFeatures?: readonly CreateFeature[];
  /** Makes lists whose pages or items differ from request to request. */
  readonly createPagedList?: CreateItemList;
  /** Each puts itself around the methods that those before it return. */
  readonly wrapMethods?: readonly WrapMethods[];
  /** Keeps what handlers and services may change while the server runs. */
  readonly createLiveState?: (definition: ServerDefinition) => LiveState;
  /** Runs handlers that may ask their client. @param keys Those of `REQUEST_STATE_KEY`; one is made where there are none. */
  readonly createAsking?: (keys?: readonly string[], exactNumbers?: ExactNumbers) => Asking;
  /** Keeps numbers that JavaScript would round from reaching a handler as other numbers. */
  readonly exactNumbers?: ExactNumbers;
}

/** Makes one of the things that a server can do for its clients; undefined where it has none of it. */
export type CreateFeature = (definition: ServerDefinition, runtime: Runtime) => Feature | undefined;

/** Returns the methods with something done before and after each answer. */
export type WrapMethods = (methods: Methods, definition: ServerDefinition) => Methods;
