import type { ServerModel, TransportModel } from "../model/server-model.js";
import { collectDefaults } from "../schema/defaults/collect-defaults.js";
import { playedItems } from "./contract-tests/bodies/body-contracts.js";
import { hasPrograms } from "./bodies/body-code.js";
import { databaseItems } from "./contract-tests/bodies/database-contracts.js";
import { programTools } from "./contract-tests/bodies/program-contracts.js";
import { databaseSources, playedSources } from "./contract-tests/bodies/source-contracts.js";
import { asksAnything, itemsOf } from "./modules/asking.js";
import { hasNetwork, needsAuthentication } from "./modules/authentication.js";
import { controls } from "./modules/controls.js";

/** Limits on how a client may send. */
const TRAFFIC_LIMITS = [
  ...(["bodyBytes", "ratePerSecond", "sessions", "sessionIdleMs", "connections"] as const),
  ...(["headersTimeoutMs", "bodyTimeoutMs"] as const),
];

/**
 * Says of a project whether it has a feature. Which files of the runtime and its suites each needs is
 * said beside those, in `templates/runtime/features.json`.
 */
export const FEATURES = {
  core: () => true,
  network: hasNetwork,
  http: (model) => has(model, "http"),
  sessions: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.sessions === "memory"),
  tls: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.tls !== undefined),
  metrics: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.metrics !== undefined),
  stdio: (model) => has(model, "stdio"),
  fastPath: hasFastPath,
  /** Clients that stay connected, each with a transport of its own. */
  lastingConnections: (model) =>
    (["stdio", "sse", "websocket", "custom"] as const).some((type) => has(model, type)),
  /** Messages that clients post. */
  posts: (model) => has(model, "http") || has(model, "sse"),
  sse: (model) => has(model, "sse"),
  websocket: (model) => has(model, "websocket"),
  customTransport: (model) => has(model, "custom"),
  environment: ({ env }) => env.length > 0,
  upstreams: ({ upstreams = [] }) => upstreams.length > 0,
  databases: ({ databases = [] }) => databases.length > 0,
  postgres: ({ databases = [] }) => databases.some(({ type }) => type === "postgres"),
  sqlite: ({ databases = [] }) => databases.some(({ type }) => type === "sqlite"),
  programs: hasPrograms,
  /** What handlers ask: other services, databases, programs. */
  backends: (model) =>
    (model.upstreams ?? []).length + (model.databases ?? []).length > 0 || hasPrograms(model),
  /** Values that bodies put into texts. */
  textValues: (model) => (model.upstreams ?? []).length > 0 || hasPrograms(model),
  databaseTests: (model) => databaseItems(model).length + databaseSources(model).length > 0,
  programTests: (model) => programTools(model).length > 0,
  bodyTests: (model) => playedItems(model).length + playedSources(model).length > 0,
  packageVersion: ({ version }) => version === undefined,
  /** Items that requests or lists leave out for callers without their scopes. */
  restrictableItems: (model) =>
    hasResources(model) || needsScopes(model) || model.exposure !== undefined,
  scopes: needsScopes,
  access: (model) => hasNetwork(model) || needsScopes(model),
  /** Callers who say who they are, over a transport of the manifest's or in process. */
  callers: (model) => hasNetwork(model) || has(model, "custom") || needsScopes(model),
  /** Callers over the network who are known by the manifest's `auth`. */
  verification: (model) => hasNetwork(model) && model.auth !== undefined,
  jwt: (model) => hasNetwork(model) && (model.auth?.jwt ?? []).length > 0,
  introspection: (model) => hasNetwork(model) && model.auth?.introspection !== undefined,
  apiKeys: (model) => hasNetwork(model) && model.auth?.apiKeys !== undefined,
  /** Tokens of authorization servers. */
  tokens: (model) =>
    hasNetwork(model) && (model.auth?.introspection ?? model.auth?.jwt[0]) !== undefined,
  /** Limits of the manifest that tests, which are busier than clients, would meet. */
  limitedTraffic: ({ limits = {} }) => TRAFFIC_LIMITS.some((name) => name in limits),
  items: (model) => itemsOf(model).length > 0,
  tools: ({ tools }) => tools.length > 0,
  /** Limits of the manifest on the arguments of a call. */
  argumentLimits: ({ tools, limits: { depth, elements } = {} }) =>
    tools.length > 0 && (depth ?? elements) !== undefined,
  outputs: hasOutputs,
  defaults: ({ tools }) => tools.some(({ input }) => collectDefaults(input.wire) !== undefined),
  /** Arguments and answers that JavaScript may have to round: numbers, and what a schema leaves open. */
  exactNumbers: (model) =>
    model.tools.some(({ input }) => mayHoldNumbers(JSON.stringify(input.wire))) ||
    itemsOf(model).some(({ asks }) => /"(?:integer|number)"/.test(JSON.stringify(asks ?? {}))),
  fixedTools: ({ tools }) => tools.some(({ behaviour }) => behaviour.kind === "fixed"),
  /** Texts of the manifest into which arguments are put. */
  fixedContent: (model) =>
    asksAnything(model) ||
    model.prompts.length > 0 ||
    model.tools.some(({ behaviour }) => behaviour.kind === "fixed"),
  /** Items that the fast path leaves to the SDK in the older eras. */
  legacyExceptions: (model) => hasFastPath(model) && (asksAnything(model) || hasOutputs(model)),
  /** Lists whose pages or items differ from request to request. */
  pagedLists: (model) =>
    model.pageSize !== undefined ||
    controls(model).length + model.resources.length + model.resourceTemplates.length > 0,
  /** Arguments that clients repeat in HTTP headers; the word alone may stand in a schema without one. */
  headerParameters: (model) =>
    has(model, "http") &&
    model.tools.some(({ input }) => JSON.stringify(input.wire).includes("x-mcp-header")),
  resources: hasResources,
  /** Templates whose instances come of what another service or a database answers. */
  foundInstances: ({ upstreams = [], databases = [], resourceTemplates }) =>
    upstreams.length + databases.length > 0 &&
    resourceTemplates.some(({ list }) => list !== undefined),
  prompts: ({ prompts }) => prompts.length > 0,
  completion: completesAnything,
  /** Items that may complete something. */
  completable: ({ prompts, resources, resourceTemplates }) =>
    prompts.length + resources.length + resourceTemplates.length > 0,
  asking: asksAnything,
  /** Tools that are found by searching. */
  search: ({ exposure }) => exposure !== undefined,
  changes: (model) => controls(model).length > 0,
  /** Examples that the tests can call, over a transport where callers need not say who they are. */
  examples: (model) =>
    model.tools.some(({ examples }) => examples.length > 0) &&
    (has(model, "stdio") || (hasNetwork(model) && !needsAuthentication(model))),
  /** Tests that are left out with a reason. */
  skippedTests: (model) => itemsOf(model).length > 0 || has(model, "custom"),
  madeForEachProject: () => false,
  ownTests: () => false,
} satisfies Readonly<Record<string, (model: ServerModel) => boolean>>;

export type Feature = keyof typeof FEATURES;

function has({ transports }: ServerModel, type: TransportModel["type"]): boolean {
  return transports.some((transport) => transport.type === type);
}

function hasFastPath(model: ServerModel): boolean {
  return has(model, "http") || has(model, "stdio");
}

function hasResources({ resources, resourceTemplates }: ServerModel): boolean {
  return resources.length + resourceTemplates.length > 0;
}

function hasOutputs({ tools }: ServerModel): boolean {
  return tools.some(({ output }) => output !== undefined);
}

/** Whether a schema, as JSON, names numbers, or is an object that may have members of any kind. */
function mayHoldNumbers(schema: string): boolean {
  return /"(?:integer|number)"/.test(schema) || !schema.includes('"additionalProperties":false');
}

/** Whether any item needs scopes. */
function needsScopes(model: ServerModel): boolean {
  return itemsOf(model).some(({ scopes }) => scopes !== undefined);
}

/** Whether any argument of a prompt or variable of a template has values to offer. */
function completesAnything({ prompts, resourceTemplates }: ServerModel): boolean {
  const places = [
    ...prompts.flatMap((prompt) => prompt.arguments),
    ...resourceTemplates.flatMap((template) => template.variables),
  ];
  return places.some(({ complete }) => complete !== undefined);
}
