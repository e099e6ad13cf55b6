import type { CacheHint, Implementation } from "@modelcontextprotocol/server";
import type { CreateItemList } from "./item-list.js";
import type { SetLimits } from "./limits.js";
import type { Feature, LiveState, Methods } from "./parts.js";
import type { Asking, Runtime } from "./runtime.js";

/**
 * Everything that the manifest says about the server, as the generated tables state it. Handlers are checked
 * against the manifest where the tables import them; here their types are erased, since one runtime serves
 * every project. Features that only some projects have (resources, prompts, listeners) declare their members
 * in their own folders.
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
 * The parts of the runtime that a project has only where its manifest uses them. The generated definition
 * names them, so that nothing else is copied or loaded. A part that only one folder uses is declared there.
 */
export interface RuntimeParts {
  /** Lists tools that find and call all others, instead of the others themselves. */
  readonly createSearchedTools?: CreateFeature;
  /** Makes the features of the server beside its tools. */
  readonly otherFeatures?: readonly CreateFeature[];
  /** Makes lists whose pages or items differ from request to request. */
  readonly createPagedList?: CreateItemList;
  /** Each wraps the methods that the one before it returns. */
  readonly wrapMethods?: readonly WrapMethods[];
  /** Makes the state that handlers and services may change while the server runs. */
  readonly createLiveState?: (definition: ServerDefinition) => LiveState;
  /**
   * Runs handlers that may ask their client. @param keys The keys of `REQUEST_STATE_KEY`; without any, one is
   * made.
   */
  readonly createAsking?: (definition: ServerDefinition, keys?: readonly string[]) => Asking;
  /** Changes a message of a client before it is parsed. */
  readonly convertMessage?: (message: Buffer) => Buffer;
}

/** Makes a feature of a server; undefined where the server has no items of its kind. */
export type CreateFeature = (definition: ServerDefinition, runtime: Runtime) => Feature | undefined;

/** Returns methods that do something before or after the given ones. */
export type WrapMethods = (methods: Methods, definition: ServerDefinition) => Methods;
