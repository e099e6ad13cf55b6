import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { ServerDefinition, WrapMethods } from "./definition.js";
import type { Feature, LiveState, Method, Methods } from "./parts.js";
import type { Runtime } from "./runtime.js";
import { createTools } from "../tools/tools.js";

/**
 * Answers the protocol's requests from tables that are built once. It knows nothing of connections:
 * one engine serves them all, and a request costs the same whether the server has one tool or ten
 * thousand.
 */
export interface Engine {
  readonly definition: ServerDefinition;
  /** The capabilities that the server really has: methods of all others answer -32601. */
  readonly capabilities: ServerCapabilities;
  /** The capabilities for a client that cannot get notifications of changes. */
  readonly quietCapabilities: ServerCapabilities;
  readonly methods: ReadonlyMap<string, Method>;
  /** Absent where nothing changes while the server runs. */
  readonly live: LiveState | undefined;
  /** Prepares in the background what requests would otherwise wait for. */
  readonly prepare: () => void;
}

/** @param wrappers Wrap the methods, after the wrappers of the definition. */
export function createEngine(
  definition: ServerDefinition,
  runtime: Runtime,
  wrappers: readonly WrapMethods[] = [],
): Engine {
  const { createSearchedTools = createTools, otherFeatures = [], wrapMethods = [] } = definition;
  const features = [createSearchedTools, ...otherFeatures].flatMap(
    (create): Feature | [] => create(definition, runtime) ?? [],
  );
  const methods = [...wrapMethods, ...wrappers].reduce<Methods>(
    (wrapped, wrap) => wrap(wrapped, definition),
    Object.assign({}, ...features.map((feature) => feature.methods)) as Methods,
  );
  const capabilities = Object.assign(
    { logging: {} },
    ...features.map(({ capabilities }) => capabilities),
  ) as ServerCapabilities;
  return {
    definition,
    capabilities,
    quietCapabilities: runtime.live?.quietCapabilities(capabilities) ?? capabilities,
    methods: new Map(Object.entries(methods)),
    live: runtime.live,
    prepare: () => features.forEach(({ prepare }) => prepare?.()),
  };
}
