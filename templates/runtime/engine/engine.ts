import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { ServerDefinition, WrapMethods } from "./definition.js";
import type { Feature, Method, Methods } from "./feature.js";
import type { HandlerRunner, Runtime } from "./runtime.js";
import { createTools } from "../tools/tools.js";

/**
 * Answers the protocol's requests from tables that are built once. One engine serves all connections. The
 * time of a request does not depend on the number of tools.
 */
export interface Engine {
  /** What the server offers and uses. */
  readonly definition: ServerDefinition;
  /** The capabilities of the server. Methods of all others answer -32601. */
  readonly capabilities: ServerCapabilities;
  /** The capabilities for clients of the older eras. */
  readonly legacyCapabilities: ServerCapabilities;
  /** The methods that answer requests, by name. */
  readonly methods: ReadonlyMap<string, Method>;
  /** Undefined if no handler needs more than one call. */
  readonly runner: HandlerRunner | undefined;
  /** Does work in the background that requests would otherwise wait for. */
  readonly prepare: () => void;
}

type Extensions = NonNullable<ServerCapabilities["extensions"]>;

/** Joins the capabilities of features. Each may have extensions. */
function joinCapabilities(parts: readonly ServerCapabilities[]): ServerCapabilities {
  const extensions = Object.assign({}, ...parts.map((part) => part.extensions)) as Extensions;
  const { extensions: _joined, ...others } = Object.assign({}, ...parts) as ServerCapabilities;
  return { logging: {}, ...others, ...(Object.keys(extensions).length > 0 && { extensions }) };
}

/** @param wrappers Further wrappers of the methods, which are applied after those of the definition. */
export function createEngine(
  definition: ServerDefinition,
  runtime: Runtime,
  wrappers: readonly WrapMethods[] = [],
): Engine {
  const { createSearchedTools = createTools, createResources, createPrompts } = definition;
  const { createCompletion, guardMethods, traceMethods } = definition;
  const makers = [createSearchedTools, createResources, createPrompts, createCompletion];
  const features = [
    ...makers.flatMap((create): Feature | [] => create?.(definition, runtime) ?? []),
    ...(runtime.tasks === undefined ? [] : [runtime.tasks.feature]),
  ];
  const methods = [guardMethods, traceMethods, ...wrappers].reduce<Methods>(
    (wrapped, wrap) => wrap?.(wrapped, definition) ?? wrapped,
    Object.assign({}, ...features.map((feature) => feature.methods)) as Methods,
  );
  const joined = (some: readonly Feature[]): ServerCapabilities =>
    joinCapabilities([
      ...some.map(({ capabilities }) => capabilities),
      { extensions: definition.extensions ?? {} },
    ]);
  return {
    definition,
    capabilities: joined(features),
    legacyCapabilities: joined(features.filter(({ isModern }) => isModern !== true)),
    methods: new Map(Object.entries(methods)),
    runner: runtime.runner,
    prepare: () => features.forEach(({ prepare }) => prepare?.()),
  };
}
