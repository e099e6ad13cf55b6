import type { CacheHint, Implementation } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { Item } from "./item.js";
import type { CreateItemList } from "./item-list.js";
import type { SetLimits } from "./limits.js";
import type { Feature, Methods } from "./feature.js";
import type { Runtime } from "./runtime.js";

/**
 * The contents of the manifest in the generated tables. The compiler checks handlers against the manifest
 * where the tables import them. Here their types are erased, since the same runtime serves every project.
 * Features that only some projects have (resources, prompts, databases) declare their members themselves.
 */
export interface ServerDefinition extends RuntimeParts {
  readonly info: Implementation;
  readonly instructions?: string;
  readonly transports: readonly TransportDefinition[];
  /** Whether clients of the older eras are served, in addition to those of 2026-07-28. */
  readonly protocol: { readonly legacy: "serve" | "reject" };
  /** Caching hints of every list and read. An item may have its own. */
  readonly cache?: CacheHint;
  /** Most items on a page of a list; absent if all are on one page. */
  readonly pageSize?: number;
  /** The limits that differ from the runtime's defaults. */
  readonly limits?: SetLimits;
}

/** The definitions of transports. Each feature with transports adds its own. */
export interface TransportDefinitions {
  readonly stdio: { readonly type: "stdio" };
}

export type TransportDefinition = TransportDefinitions[keyof TransportDefinitions];

/**
 * The parts of the runtime that a project has only if its manifest uses them. The generated definition names
 * them, so that no others are copied or loaded. A part that only one folder uses is declared there.
 */
export interface RuntimeParts {
  /** Makes the tools that find and call all others. Only they are listed. */
  readonly createSearchedTools?: CreateFeature;
  /** Makes the features of the server other than tools. */
  readonly otherFeatures?: readonly CreateFeature[];
  /** Makes lists that have pages, or items that change or depend on the caller. */
  readonly createPagedList?: CreateItemList;
  /** Whether an item is hidden from a caller, for whom it then does not exist. By default no item is. */
  readonly isHidden?: (item: Item, caller: Partial<Caller>) => boolean;
  /** Wrappers of the methods. Each wraps the methods that the previous one returned. */
  readonly wrapMethods?: readonly WrapMethods[];
  /** Changes a message of a client before it is parsed. */
  readonly convertMessage?: (message: Buffer) => Buffer;
}

/** Makes a feature of a server; undefined if the server has no items of its kind. */
export type CreateFeature = (definition: ServerDefinition, runtime: Runtime) => Feature | undefined;

/** Returns methods that do something before or after the given ones. */
export type WrapMethods = (methods: Methods, definition: ServerDefinition) => Methods;
