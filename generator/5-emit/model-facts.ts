import { normalize } from "node:path/posix";
import { CREDENTIALS } from "../credentials/index.js";
import type { CredentialModel } from "../model/auth.js";
import { hasNetwork } from "../model/authentication.js";
import type { HttpBodyModel, SqlBodyModel } from "../model/bodies.js";
import { itemsOf } from "../model/items.js";
import { isJsonObject, type JsonValue } from "../model/json.js";
import type { ServerModel } from "../model/server-model.js";
import type { HttpTransportModel } from "../model/transports.js";
import { usesCaller } from "./bodies/caller-values.js";
import { completionSources } from "./bodies/source-code.js";
import { remoteServersOf } from "./bodies/body-items.js";

/** Short questions about a server that several generated files ask. */

/** The package's name without its scope. It is also the command that the package installs. */
export function commandName(model: ServerModel): string {
  return model.name.slice(model.name.indexOf("/") + 1);
}

/** The server's transport of type `http`, if it has one. */
export function httpTransport(model: ServerModel): HttpTransportModel | undefined {
  return model.transports.find((transport) => transport.type === "http");
}

/** True if the server has the transport `stdio`. */
export function hasStdio(model: ServerModel): boolean {
  return model.transports.some((transport) => transport.type === "stdio");
}

/** The paths of the files of resources, relative to the project. */
export function servedFiles({ resources }: ServerModel): string[] {
  const paths = resources.flatMap(({ behaviour }) =>
    behaviour.kind === "file" ? [behaviour.path] : [],
  );
  return [...new Set(paths)];
}

/** A folder of the project whose files clients read. */
export interface ServedFolder {
  readonly path: string;
  /** Whether clients read also what has a name that begins with a dot. */
  readonly hidden: boolean;
}

/** The folders of the project whose files and skills clients read. */
export function servedFolders({ resourceTemplates, skills = [] }: ServerModel): ServedFolder[] {
  const folders = new Map<string, boolean>();
  for (const { behaviour } of resourceTemplates) {
    if (behaviour.kind !== "directory" || typeof behaviour.root !== "string") continue;
    const path = normalize(behaviour.root).replace(/\/$/, "");
    // The project itself, what is outside of it, and folders such as .git are no part of a package.
    if (/^[./]|^[A-Za-z]:|\\/.test(path)) continue;
    folders.set(path, behaviour.hidden || folders.get(path) === true);
  }
  for (const { root } of skills) {
    const path = normalize(root);
    folders.set(path, folders.get(path) ?? false);
  }
  return Array.from(folders, ([path, hidden]) => ({ path, hidden }));
}

/** True if callers are authenticated, over a transport or in process. */
export function identifiesCallers(model: ServerModel): boolean {
  return hasNetwork(model) || hasTransport(model, "custom") || needsScopes(model);
}

/** True if the manifest's `auth` authenticates callers over the network. */
export function verifiesCallers(model: ServerModel): boolean {
  return hasNetwork(model) && model.auth !== undefined;
}

/** What callers may show over the network; nothing where there is none. */
export function shownCredentials(model: ServerModel): readonly CredentialModel[] {
  return hasNetwork(model) ? (model.auth?.credentials ?? []) : [];
}

/** True if a request or a statement, also of a source, asks who calls. */
export function actsForCallers(model: ServerModel): boolean {
  return bodiesOf(model).some(usesCaller);
}

/** The roles that statements on a database take for their callers; undefined if none acts for its caller. */
export function callerRoles(model: ServerModel, database: string): string[] | undefined {
  const callers = bodiesOf(model).flatMap((body) =>
    body.kind === "sql" && body.database === database ? (body.caller ?? []) : [],
  );
  if (callers.length === 0) return undefined;
  return [...new Set(callers.flatMap(({ role }) => role?.oneOf ?? []))].sort();
}

/** The requests and statements of a server, also those of its sources. */
function bodiesOf(model: ServerModel): (HttpBodyModel | SqlBodyModel)[] {
  const { resourceTemplates, prompts } = model;
  const ofItems = itemsOf(model).map(({ behaviour }) => behaviour);
  const sources = [...resourceTemplates, ...prompts].flatMap(completionSources);
  const lists = resourceTemplates.map(({ list }) => list);
  return [...ofItems, ...sources.map(([, source]) => source), ...lists].flatMap((body) =>
    typeof body === "object" && "kind" in body && (body.kind === "http" || body.kind === "sql")
      ? [body]
      : [],
  );
}

/** True if callers have tokens of authorization servers. */
export function readsTokens(model: ServerModel): boolean {
  return shownCredentials(model).some(({ kind }) => CREDENTIALS[kind].isToken);
}

/** True if lists show callers over the network only the items that they may use. */
export function filtersLists(model: ServerModel): boolean {
  return hasNetwork(model) && model.auth?.lists === "filter" && needsScopes(model);
}

/** True if the server itself opens HTTP connections. */
export function opensHttpConnections(model: ServerModel): boolean {
  return (model.upstreams ?? []).length + remoteServersOf(model, "url").length > 0;
}

/** The private keys with which the server signs what it says to authorization servers. */
export function privateKeys(model: ServerModel): JsonValue[] {
  const { upstreams = [] } = model;
  return [...upstreams, ...remoteServersOf(model, "url")].flatMap(({ settings: { auth } }) =>
    isJsonObject(auth)
      ? (auth["clientKey"] ?? (auth["kind"] === "jwtBearer" ? (auth["key"] ?? []) : []))
      : [],
  );
}

/** True if calls of some tools run as tasks. */
export function hasTasks({ tools }: ServerModel): boolean {
  return tools.some(({ task }) => task !== undefined);
}

/** True if replicas of a server share state. Without a network transport there are none. */
export function sharesState(model: ServerModel): boolean {
  const { scale } = model;
  if (scale === undefined || !hasNetwork(model)) return false;
  return scale.share.length > 0 || hasTasks(model);
}

/** True if clients of the older eras are served over HTTP, and have no sessions there. */
export function isStateless({ protocol, transports }: ServerModel): boolean {
  return (
    protocol.legacy === "serve" &&
    transports.some((transport) => transport.type === "http" && transport.sessions === "none")
  );
}

/** True if several processes of the server can serve together, without a load balancer. */
export function servesByWorkers({ transports }: ServerModel): boolean {
  return transports.some(
    (transport) =>
      transport.type === "http" && (transport.sessions === "none" || transport.trustProxy === 0),
  );
}

/** True if callers of some tool ask for further pages of a list. */
export function exposesPages({ tools }: ServerModel): boolean {
  return tools.some(({ behaviour }) => behaviour.kind === "http" && behaviour.pages?.expose);
}

export function hasPage({ transports }: ServerModel): boolean {
  return transports.some((transport) => transport.type === "http" && transport.page !== undefined);
}

/** True if the project has the command that adds the server to the settings of clients. */
export function installsClients({ package: published }: ServerModel): boolean {
  return published?.clients === true;
}

export function hasTransport(
  { transports }: ServerModel,
  type: ServerModel["transports"][number]["type"],
): boolean {
  return transports.some((transport) => transport.type === type);
}

export function hasDatabase({ databases = [] }: ServerModel, type: "postgres" | "sqlite"): boolean {
  return databases.some((database) => database.type === type);
}

/** True if any item needs scopes. */
function needsScopes(model: ServerModel): boolean {
  return itemsOf(model).some(({ scopes }) => scopes !== undefined);
}
