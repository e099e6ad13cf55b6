import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { ServerDefinition } from "./definition.js";
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
  /** Exactly what the server has: a method of a capability that is not declared answers -32601. */
  readonly capabilities: ServerCapabilities;
  /** The same for a client that cannot be told of changes. */
  readonly quietCapabilities: ServerCapabilities;
  readonly methods: ReadonlyMap<string, Method>;
  /** Absent where nothing changes while the server runs. */
  readonly live: LiveState | undefined;
  /** Makes in the background what requests would have to wait for. */
  readonly prepare: () => void;
}

export function createEngine(definition: ServerDefinition, runtime: Runtime): Engine {
  const { createSearchedTools, createResources, createPrompts, createCompletion } = definition;
  const features = [
    createSearchedTools ?? createTools,
    createResources,
    createPrompts,
    createCompletion,
  ].flatMap((create): Feature | [] => create?.(definition, runtime) ?? []);
  const all = Object.assign({}, ...features.map((feature) => feature.methods)) as Methods;
  const guarded = definition.guardMethods?.(definition, all) ?? all;
  const methods = definition.traceMethods?.(definition, guarded) ?? guarded;
  const capabilities = Object.assign(
    { logging: {} },
    ...features.map(({ capabilities }) => capabilities),
  ) as ServerCapabilities;
  return {
    definition,
    capabilities,
    quietCapabilities: runtime.live?.quietCapabilities(capabilities) ?? capabilities,
    methods: new Map(Object.entries(runtime.audit?.watch(methods) ?? methods)),
    live: runtime.live,
    prepare: () => features.forEach(({ prepare }) => prepare?.()),
  };
}
