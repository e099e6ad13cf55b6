import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { ServerDefinition } from "./definition.js";
import type { CompletionAnswers, PromptAnswers, RequestScopes, ResourceAnswers } from "./parts.js";
import type { LiveState } from "../context/live-state.js";
import type { Runtime } from "./runtime.js";
import { Tools } from "../tools/tools.js";

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
  /** This and what follows is absent where the manifest has none. */
  readonly resources: ResourceAnswers | undefined;
  readonly prompts: PromptAnswers | undefined;
  readonly completion: CompletionAnswers | undefined;
  /** What callers need for what they ask. */
  readonly scopes: RequestScopes | undefined;
}

export function createEngine(definition: ServerDefinition, runtime: Runtime): Engine {
  const parts = createParts(definition, runtime);
  const { controls } = runtime;
  const whatChanges = changesOf(definition, controls);
  return {
    definition,
    capabilities: capabilitiesOf(definition, parts, whatChanges),
    quietCapabilities: capabilitiesOf(definition, parts, nothingChanges),
    live: controls,
    ...parts,
  };
}

type Parts = Pick<Engine, "tools" | "resources" | "prompts" | "completion" | "scopes">;

function createParts(definition: ServerDefinition, runtime: Runtime): Parts {
  const { tools, resources, resourceTemplates, prompts } = definition;
  const hasResources = resources.length > 0 || resourceTemplates.length > 0;
  const found = hasResources ? definition.createResources?.(definition, runtime) : undefined;
  const completion = definition.createCompletion?.(definition, runtime);
  return {
    tools: new Tools(tools, runtime),
    resources: found,
    prompts: prompts.length > 0 ? definition.createPrompts?.(definition, runtime) : undefined,
    completion: completion?.isOffered ? completion : undefined,
    scopes: definition.createScopes?.(definition, found),
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
  { tools }: ServerDefinition,
  { resources, prompts, completion }: Parts,
  changes: Changes,
): ServerCapabilities {
  return {
    logging: {},
    ...(tools.length > 0 ? { tools: { listChanged: changes.tools } } : {}),
    ...(resources
      ? { resources: { subscribe: changes.contents, listChanged: changes.resources } }
      : {}),
    ...(prompts ? { prompts: { listChanged: changes.prompts } } : {}),
    ...(completion ? { completions: {} } : {}),
  };
}
