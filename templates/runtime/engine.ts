import type { ServerCapabilities } from "@modelcontextprotocol/server";
import { Completion } from "./completion.js";
import type { ServerDefinition } from "./definition.js";
import { ItemScopes } from "./item-scopes.js";
import type { LiveState } from "./live-state.js";
import { Prompts } from "./prompts.js";
import { Resources } from "./resources.js";
import type { Runtime } from "./runtime.js";
import { Tools } from "./tools.js";

/**
 * Answers the protocol's requests from tables that are built once. It knows nothing of connections:
 * one engine serves them all, and a request costs the same whether the server has one tool or ten
 * thousand.
 */
export interface Engine {
  readonly definition: ServerDefinition;
  readonly capabilities: ServerCapabilities;
  /** The same for a client that cannot be told of changes. */
  readonly quietCapabilities: ServerCapabilities;
  readonly live: LiveState;
  readonly tools: Tools;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly completion: Completion;
  /** What callers need for what they ask. */
  readonly scopes: ItemScopes;
}

export function createEngine(definition: ServerDefinition, runtime: Runtime): Engine {
  const { tools, resources, resourceTemplates, prompts } = definition;
  const completion = new Completion(definition, runtime);
  const { controls } = runtime;
  const found = new Resources(resources, resourceTemplates, runtime);
  const whatChanges = changesOf(definition, controls);
  return {
    definition,
    capabilities: capabilitiesOf(definition, completion, whatChanges),
    quietCapabilities: capabilitiesOf(definition, completion, nothingChanges),
    live: controls,
    tools: new Tools(tools, runtime),
    resources: found,
    prompts: new Prompts(prompts, runtime),
    completion,
    scopes: new ItemScopes(definition, (uri) => found.entryAt(uri)),
  };
}

/** What clients may be told has changed. */
type Changes = Readonly<Record<"tools" | "resources" | "prompts" | "contents", boolean>>;

const nothingChanges: Changes = { tools: false, resources: false, prompts: false, contents: false };

function changesOf(definition: ServerDefinition, live: LiveState): Changes {
  const { resources, resourceTemplates } = definition;
  return {
    tools: live.tools.exist,
    resources: live.resources.exist || resourceTemplates.some(({ list }) => list !== undefined),
    prompts: live.prompts.exist,
    contents: [...resources, ...resourceTemplates].some(({ subscribe }) => subscribe),
  };
}

/** Exactly what the server has: a method of a capability that is not declared answers -32601. */
function capabilitiesOf(
  definition: ServerDefinition,
  completion: Completion,
  changes: Changes,
): ServerCapabilities {
  const { tools, resources, resourceTemplates, prompts } = definition;
  const hasResources = resources.length > 0 || resourceTemplates.length > 0;
  return {
    logging: {},
    ...(tools.length > 0 ? { tools: { listChanged: changes.tools } } : {}),
    ...(hasResources
      ? { resources: { subscribe: changes.contents, listChanged: changes.resources } }
      : {}),
    ...(prompts.length > 0 ? { prompts: { listChanged: changes.prompts } } : {}),
    ...(completion.isOffered ? { completions: {} } : {}),
  };
}
