import type { ScaleModel, ServerModel } from "../model/server-model.js";
import type { TransportModel } from "../model/transports.js";
import {
  hasDirectories,
  hasPrograms,
  remoteServersOf,
  findsInstances,
} from "./bodies/body-items.js";
import { itemsOf } from "../model/items.js";
import { hasNetwork } from "../model/authentication.js";
import { controls } from "./modules/controls.js";
/** For each feature, whether a project has it. */
export const FEATURES = {
  http: (model) => has(model, "http"),
  sessions: keepsSessions,
  metrics: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.metrics !== undefined),
  /** A page for people. */
  page: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.page !== undefined),
  /** The command that adds the server to the settings of clients. */
  clients: (model) => model.package?.clients === true,
  stdio: (model) => has(model, "stdio"),
  environment: ({ env }) => env.length > 0,
  upstreams: ({ upstreams = [] }) => upstreams.length > 0,
  /** Other MCP servers. */
  remoteServers: ({ servers = [] }) => servers.length > 0,
  /** Connections over HTTP that the server opens. */
  httpConnections: hasHttpConnections,
  databases: ({ databases = [] }) => databases.length > 0,
  postgres: ({ databases = [] }) => databases.some(({ type }) => type === "postgres"),
  sqlite: ({ databases = [] }) => databases.some(({ type }) => type === "sqlite"),
  programs: hasPrograms,
  directories: hasDirectories,
  /** Partners of handlers: other services, databases, programs, directories. */
  backends: (model) => asksServices(model) || hasPrograms(model) || hasDirectories(model),
  /** Values that bodies put into texts. */
  textValues: putsValuesIntoTexts,
  /** Authenticated callers, over a transport or in process. */
  callers: identifiesCallers,
  telemetry: ({ telemetry }) => telemetry === true,
  /** Callers over the network whom the manifest's `auth` authenticates. */
  verification: (model) => hasNetwork(model) && model.auth !== undefined,
  jwt: (model) => hasNetwork(model) && (model.auth?.jwt ?? []).length > 0,
  /** Tokens of authorization servers. */
  tokens: readsTokens,
  /** Requests of the server to others, which may reach certain addresses only. */
  egress: (model) => hasHttpConnections(model) || readsTokens(model),
  outputs: hasOutputs,
  filteredLists: filtersLists,
  resources: hasResources,
  foundInstances: findsInstances,
  prompts: ({ prompts }) => prompts.length > 0,
  /** Tools that are found by searching. */
  search: ({ exposure }) => exposure !== undefined,
  changes: (model) => controls(model).length > 0,
  /** Several processes that share events, switches or rates. */
  scale: (model) => sharedState(model).length > 0,
  sharedRates: (model) => sharedState(model).includes("rates"),
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

function hasResources({ resources, resourceTemplates }: ServerModel): boolean {
  return resources.length + resourceTemplates.length > 0;
}

function hasOutputs({ tools }: ServerModel): boolean {
  return tools.some(({ output }) => output !== undefined);
}

/** True if callers are authenticated, over a transport or in process. */
function identifiesCallers(model: ServerModel): boolean {
  return hasNetwork(model) || has(model, "custom") || needsScopes(model);
}

/** True if any item needs scopes. */
function needsScopes(model: ServerModel): boolean {
  return itemsOf(model).some(({ scopes }) => scopes !== undefined);
}

/** True if lists show callers over the network only the items that they may use. */
function filtersLists(model: ServerModel): boolean {
  return hasNetwork(model) && model.auth?.lists === "filter" && needsScopes(model);
}
