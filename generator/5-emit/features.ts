import { isJsonObject, type JsonSchema } from "../model/json.js";
import type { ScaleModel, ServerModel } from "../model/server-model.js";
import type { TransportModel } from "../model/transports.js";
import { collectDefaults } from "../schema/defaults/collect-defaults.js";
import { upstreamItems } from "./contract-tests/bodies/upstream-contracts.js";
import {
  hasDirectories,
  hasPrograms,
  remoteServersOf,
  findsInstances,
} from "./bodies/body-items.js";
import { limitsTraffic } from "./contract-tests/server-contract.js";
import { databaseItems } from "./contract-tests/bodies/database-contracts.js";
import { directoryTemplates } from "./contract-tests/bodies/directory-contracts.js";
import { remoteItems } from "./contract-tests/bodies/remote-contracts.js";
import { programTools } from "./contract-tests/bodies/program-contracts.js";
import { databaseSources, upstreamSources } from "./contract-tests/bodies/source-contracts.js";
import { asksAnything } from "./modules/asking.js";
import { itemsOf } from "../model/items.js";
import { hasNetwork, needsAuthentication } from "../model/authentication.js";
import { controls } from "./modules/controls.js";
import { hasStarterTests } from "./modules/handler-files.js";

/** For each feature, whether a project has it. `templates/runtime/features.json` lists the files of each feature. */
export const FEATURES = {
  core: () => true,
  network: hasNetwork,
  http: (model) => has(model, "http"),
  sessions: keepsSessions,
  tls: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.tls !== undefined),
  metrics: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.metrics !== undefined),
  /** A readiness endpoint for load balancers. */
  readiness: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.ready !== undefined),
  /** A page for people. */
  page: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.page !== undefined),
  /** The command that adds the server to the settings of clients. */
  clients: (model) => model.package?.clients === true,
  stdio: (model) => has(model, "stdio"),
  fastPath: hasFastPath,
  /** Clients that stay connected, each with a transport of its own. */
  lastingConnections: (model) =>
    (["stdio", "sse", "websocket", "custom"] as const).some((type) => has(model, type)),
  /** Answers on connections that clients share between calls, whose memory is limited. */
  lastingMemory: (model) => has(model, "sse") || has(model, "websocket"),
  /** Messages that clients post. */
  posts: (model) => has(model, "http") || has(model, "sse"),
  /** Clients whose messages come with a token each. */
  messageScopes: (model) => has(model, "sse") || keepsSessions(model),
  /** Limits that clients share: of connections, sessions and watched resources. */
  sharedLimits: (model) => hasNetwork(model) || controls(model).length > 0,
  sse: (model) => has(model, "sse"),
  websocket: (model) => has(model, "websocket"),
  customTransport: (model) => has(model, "custom"),
  environment: ({ env }) => env.length > 0,
  upstreams: ({ upstreams = [] }) => upstreams.length > 0,
  /** Other MCP servers. */
  remoteServers: ({ servers = [] }) => servers.length > 0,
  remotePrograms: (model) => remoteServersOf(model, "program").length > 0,
  remoteUrls: (model) => remoteServersOf(model, "url").length > 0,
  /** Connections over HTTP that the server opens. */
  httpConnections: hasHttpConnections,
  /** Programs that the server stops together with all processes that they started. */
  processGroups: (model) => hasPrograms(model) || remoteServersOf(model, "program").length > 0,
  databases: ({ databases = [] }) => databases.length > 0,
  postgres: ({ databases = [] }) => databases.some(({ type }) => type === "postgres"),
  sqlite: ({ databases = [] }) => databases.some(({ type }) => type === "sqlite"),
  programs: hasPrograms,
  directories: hasDirectories,
  /** Partners of handlers: other services, databases, programs, directories. */
  backends: (model) => asksServices(model) || hasPrograms(model) || hasDirectories(model),
  /** Secret values, which no answer and no line of the log may show. */
  masking: (model) => model.audit !== undefined || asksServices(model) || hasPrograms(model),
  /** JSON answers whose numbers keep all digits. */
  exactAnswers: (model) => (model.upstreams ?? []).length > 0 || hasPrograms(model),
  /** JSON answers that must not be nested too deeply. */
  boundedDepth: ({ upstreams = [], servers = [], ...model }) =>
    upstreams.length + servers.length > 0 || hasPrograms(model),
  /** Partners of handlers that the server does not use in mock mode. */
  mockMode: (model) => asksServices(model) || hasPrograms(model),
  /** Services that the tests of handlers must replace. */
  replacedServices: asksServices,
  /** Requests and statements that are aborted when the call that started them ends. */
  stopSignal: (model) => {
    const { databases = [], servers = [] } = model;
    return hasHttpConnections(model) || databases.length + servers.length > 0;
  },
  /** Values that bodies put into texts. */
  textValues: putsValuesIntoTexts,
  databaseTests: (model) => databaseItems(model).length + databaseSources(model).length > 0,
  directoryTests: (model) => directoryTemplates(model).length > 0,
  programTests: (model) => programTools(model).length > 0,
  remoteTests: (model) => remoteItems(model).length > 0,
  bodyTests: (model) => upstreamItems(model).length + upstreamSources(model).length > 0,
  packageVersion: ({ version }) => version === undefined,
  /** What the server does depends on who calls. */
  authentication: (model) =>
    identifiesCallers(model) ||
    restrictsItems(model) ||
    pagesLists(model) ||
    asksAnything(model) ||
    model.audit !== undefined,
  /** Items that callers without their scopes do not see, or may not use. */
  restrictableItems: restrictsItems,
  scopes: needsScopes,
  access: (model) => hasNetwork(model) || needsScopes(model),
  /** Authenticated callers, over a transport or in process. */
  callers: identifiesCallers,
  telemetry: ({ telemetry }) => telemetry === true,
  tracedHeaders: (model) => model.telemetry === true && hasNetwork(model),
  tracedUpstreams: ({ telemetry, upstreams = [] }) => telemetry === true && upstreams.length > 0,
  tracedDatabases: ({ telemetry, databases = [] }) => telemetry === true && databases.length > 0,
  audit: (model) => model.audit !== undefined,
  /** Callers over the network whom the manifest's `auth` authenticates. */
  verification: (model) => hasNetwork(model) && model.auth !== undefined,
  jwt: (model) => hasNetwork(model) && (model.auth?.jwt ?? []).length > 0,
  introspection: (model) => hasNetwork(model) && model.auth?.introspection !== undefined,
  apiKeys: (model) => hasNetwork(model) && model.auth?.apiKeys !== undefined,
  /** API keys that are in a file. */
  keyFile: (model) =>
    hasNetwork(model) && model.auth?.apiKeys !== undefined && "file" in model.auth.apiKeys,
  /** Files that settings name, such as certificates and keys. */
  namedFiles: readsNamedFiles,
  tokens: readsTokens,
  /** Requests of the server to others, which may reach certain addresses only. */
  egress: (model) => hasHttpConnections(model) || readsTokens(model),
  limitedTraffic: limitsTraffic,
  items: (model) => itemsOf(model).length > 0,
  tools: ({ tools }) => tools.length > 0,
  /** Limits of the manifest on the arguments of a call. */
  argumentLimits: ({ tools, limits: { depth, elements } = {} }) =>
    tools.length > 0 && (depth ?? elements) !== undefined,
  /** Tools that can be called with more than one mistake. */
  severalArguments: ({ tools }) => tools.some(({ input }) => hasSeveralProperties(input.wire)),
  outputs: hasOutputs,
  defaults: ({ tools }) => tools.some(({ input }) => collectDefaults(input.wire) !== undefined),
  /** Arguments and answers that may contain numbers, which JavaScript could round. */
  exactNumbers: takesNumbers,
  /** Readers of arguments and of users' answers that may contain numbers which JavaScript rounds. */
  roundedNumbers: (model) =>
    takesNumbers(model) ||
    asksAnything(model) ||
    model.prompts.length > 0 ||
    model.audit !== undefined,
  fixedTools: ({ tools }) => tools.some(({ behaviour }) => behaviour.kind === "fixed"),
  /** Texts of the manifest with placeholders for arguments. */
  fixedContent: (model) =>
    asksAnything(model) ||
    model.prompts.length > 0 ||
    model.tools.some(({ behaviour }) => behaviour.kind === "fixed"),
  /** Items that the fast path leaves to the SDK in older protocol versions. */
  legacyExceptions: (model) => hasFastPath(model) && (asksAnything(model) || hasOutputs(model)),
  /** Which items are switched on, for lists in pages and for completions. */
  itemStates: (model) => pagesLists(model) || completesAnything(model),
  /** Lists whose pages or items differ from request to request. */
  pagedLists: pagesLists,
  filteredLists: filtersLists,
  /**
   * Arguments that clients repeat in HTTP headers. The keyword is searched for as text, so a schema that only
   * mentions it counts, too.
   */
  headerParameters: (model) =>
    has(model, "http") &&
    model.tools.some(({ input }) => JSON.stringify(input.wire).includes("x-mcp-header")),
  resources: hasResources,
  foundInstances: findsInstances,
  prompts: ({ prompts }) => prompts.length > 0,
  completion: completesAnything,
  /** Items of the kinds that can have completions. */
  completable: ({ prompts, resources, resourceTemplates }) =>
    prompts.length + resources.length + resourceTemplates.length > 0,
  asking: asksAnything,
  /** Tools that are found by searching. */
  search: ({ exposure }) => exposure !== undefined,
  /** Questions to clients that stay connected over a network. */
  lastingQuestions: (model) =>
    asksAnything(model) && (has(model, "sse") || has(model, "websocket") || keepsSessions(model)),
  changes: (model) => controls(model).length > 0,
  changesOverHttp: (model) => controls(model).length > 0 && has(model, "http"),
  /** Several processes that share events, switches or rates. */
  scale: (model) => sharedState(model).length > 0,
  sharedChanges: (model) => sharedState(model).some((state) => state !== "rates"),
  sharedRates: (model) => sharedState(model).includes("rates"),
  /** Events from outside the server, which may come in floods. */
  outsideEvents: (model) =>
    hasDirectories(model) || sharedState(model).length > 0 || (model.servers ?? []).length > 0,
  /** Examples that the tests can call, over a transport without authentication. */
  examples: (model) =>
    model.tools.some(({ examples }) => examples.length > 0) &&
    (has(model, "stdio") || (hasNetwork(model) && !needsAuthentication(model))),
  /** Tests that may be skipped with a reason. */
  skippedTests: skipsTests,
  madeForEachProject: () => false,
  ownTests: () => false,
} satisfies Readonly<Record<string, (model: ServerModel) => boolean>>;

export type Feature = keyof typeof FEATURES;

/** True if a server uses upstreams, databases or other MCP servers. */
function asksServices({ upstreams = [], databases = [], servers = [] }: ServerModel): boolean {
  return upstreams.length + databases.length + servers.length > 0;
}

/** True if the server itself opens HTTP connections. */
function hasHttpConnections(model: ServerModel): boolean {
  return (model.upstreams ?? []).length + remoteServersOf(model, "url").length > 0;
}

/** True if the server, or a script of its project, reads a file that a setting names. */
function readsNamedFiles(model: ServerModel): boolean {
  const features = ["clients", "tls", "httpConnections", "jwt", "keyFile"] as const;
  return features.some((feature) => FEATURES[feature](model));
}

/** True if callers have tokens of authorization servers. */
function readsTokens(model: ServerModel): boolean {
  return hasNetwork(model) && (model.auth?.introspection ?? model.auth?.jwt[0]) !== undefined;
}

/** True if bodies may put values of any type into texts. */
function putsValuesIntoTexts(model: ServerModel): boolean {
  const { upstreams = [], servers = [] } = model;
  return upstreams.length + servers.length > 0 || hasPrograms(model);
}

function has({ transports }: ServerModel, type: TransportModel["type"]): boolean {
  return transports.some((transport) => transport.type === type);
}

/** The state that replicas of a server share; empty without a network transport, since there are no replicas then. */
function sharedState(model: ServerModel): ScaleModel["share"] {
  return hasNetwork(model) ? (model.scale?.share ?? []) : [];
}

function keepsSessions({ transports }: ServerModel): boolean {
  return transports.some(
    (transport) => transport.type === "http" && transport.sessions === "memory",
  );
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

/** True if arguments of tools or answers of users may contain numbers. */
function takesNumbers(model: ServerModel): boolean {
  return (
    model.tools.some(({ input }) => mayHoldNumbers(JSON.stringify(input.wire))) ||
    itemsOf(model).some(({ asks }) => /"(?:integer|number)"/.test(JSON.stringify(asks ?? {})))
  );
}

/**
 * True if values of a schema may contain numbers: it allows numbers, or members of any type.
 *
 * @param schema the schema as JSON text
 */
function mayHoldNumbers(schema: string): boolean {
  return /"(?:integer|number)"/.test(schema) || !schema.includes('"additionalProperties":false');
}

/** True if callers are authenticated, over a transport or in process. */
function identifiesCallers(model: ServerModel): boolean {
  return hasNetwork(model) || has(model, "custom") || needsScopes(model);
}

function restrictsItems(model: ServerModel): boolean {
  return hasResources(model) || needsScopes(model) || model.exposure !== undefined;
}

/** True if pages or items of lists may differ from request to request. */
function pagesLists(model: ServerModel): boolean {
  const { pageSize } = model;
  return (
    pageSize !== undefined ||
    filtersLists(model) ||
    controls(model).length > 0 ||
    hasResources(model)
  );
}

/** True if any item needs scopes. */
function needsScopes(model: ServerModel): boolean {
  return itemsOf(model).some(({ scopes }) => scopes !== undefined);
}

/** True if lists show callers over the network only the items that they may use. */
function filtersLists(model: ServerModel): boolean {
  return hasNetwork(model) && model.auth?.lists === "filter" && needsScopes(model);
}

/** True if any argument of a prompt or variable of a template has completions. */
function completesAnything({ prompts, resourceTemplates }: ServerModel): boolean {
  const parameters = [
    ...prompts.flatMap((prompt) => prompt.arguments),
    ...resourceTemplates.flatMap((template) => template.variables),
  ];
  return parameters.some(({ complete }) => complete !== undefined);
}

/** True if any suite that the project has, or a starter test, may skip a test. */
function skipsTests(model: ServerModel): boolean {
  const { bodyTests, databaseTests, programTests, examples, customTransport, resources } = FEATURES;
  const skipping = [bodyTests, databaseTests, programTests, examples, customTransport, resources];
  return hasStarterTests(model) || skipping.some((isNeeded) => isNeeded(model));
}

function hasSeveralProperties(schema: JsonSchema): boolean {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) && Object.keys(properties).length > 1;
}
