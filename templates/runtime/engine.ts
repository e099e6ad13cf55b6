import type { ServerCapabilities } from "@modelcontextprotocol/server";
import { Completion } from "./completion.js";
import type { ServerDefinition } from "./definition.js";
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
  readonly tools: Tools;
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly completion: Completion;
}

export function createEngine(definition: ServerDefinition, runtime: Runtime): Engine {
  const { tools, resources, resourceTemplates, prompts } = definition;
  const completion = new Completion(definition);
  return {
    definition,
    capabilities: capabilitiesOf(definition, completion),
    tools: new Tools(tools, runtime),
    resources: new Resources(resources, resourceTemplates, runtime),
    prompts: new Prompts(prompts, runtime),
    completion,
  };
}

/** Exactly what the server has: a method of a capability that is not declared answers -32601. */
function capabilitiesOf(definition: ServerDefinition, completion: Completion): ServerCapabilities {
  const { tools, resources, resourceTemplates, prompts } = definition;
  const hasResources = resources.length > 0 || resourceTemplates.length > 0;
  return {
    logging: {},
    ...(tools.length > 0 ? { tools: { listChanged: false } } : {}),
    ...(hasResources ? { resources: { subscribe: false, listChanged: false } } : {}),
    ...(prompts.length > 0 ? { prompts: { listChanged: false } } : {}),
    ...(completion.isOffered ? { completions: {} } : {}),
  };
}
