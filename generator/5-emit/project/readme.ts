import { cardPath } from "../../../templates/runtime/http/server-card-path.js";
import { CREDENTIALS, CREDENTIAL_KEYS } from "../../credentials/index.js";
import type { ItemKind, ItemModel, ServerModel } from "../../model/server-model.js";
import type { HttpTransportModel } from "../../model/transports.js";
import { filtersLists, hasStdio, httpTransport, isStateless, readsTokens } from "../model-facts.js";
import { hasNetwork, needsAuthentication } from "../../model/authentication.js";
import { askingItems } from "../modules/asking.js";
import { packageKinds } from "../package/package-files.js";
import type { PackageScript } from "../package/package-kind.js";
import { itemsOf } from "../../model/items.js";
import { writeKey } from "../../text/literal.js";
import {
  completionOf,
  handlerPath,
  starterTestPath,
  withHandler,
} from "../modules/handler-files.js";
import { deployCommands } from "./deployment-view.js";
import { inspectorNodeVersion, nodeVersion } from "./dependency-versions.js";
import { serverVariables } from "./env-example.js";
import { manifestView } from "./manifest-view.js";
import { canBeInspected } from "./package-json.js";
import { isEveryAddress, localUrl } from "./local-url.js";
import { transportNotes } from "./transport-notes.js";

/**
 * The values for the template of README.md. Absent values are null, since the template engine is strict.
 *
 * @param manifestPath path of the manifest, relative to the project
 */
export function readmeView(model: ServerModel, manifestPath: string): object {
  const http = httpTransport(model);
  const { place, planCommand, generateCommand, devCommand } = manifestView(manifestPath);
  return {
    manifest: place ?? null,
    planCommand,
    generateCommand,
    devCommand,
    title: model.title ?? model.name,
    packageName: model.name,
    publishCommand: model.name.startsWith("@") ? "npm publish --access public" : "npm publish",
    npxCommand: `npx -y ${model.name} --${startFlag(model)}`,
    description: model.description ?? null,
    nodeVersion,
    stdio: hasStdio(model),
    scripts: packageKinds(model).flatMap(({ script }) =>
      script === undefined ? [] : [scriptView(script)],
    ),
    deploy: deployCommands(model),
    workflows: model.package?.github === true,
    canBeInspected: canBeInspected(model),
    inspectorNodeVersion,
    http: http === undefined ? null : httpView(http, model),
    transports: transportNotes(model),
    everywhere: flagsOfEveryAddress(model),
    hasOwnTransport: model.transports.some(({ type }) => type === "custom"),
    telemetry: model.telemetry === true,
    callers: hasNetwork(model) ? callersView(model) : null,
    env: serverVariables(model).length > 0,
    upstreams: (model.upstreams ?? []).length > 0,
    databases: (model.databases ?? []).length > 0,
    handler: firstHandler(model),
    question: firstQuestion(model),
    needsSessions: isStateless(model),
  };
}

/**
 * The values for the template of AGENTS.md.
 *
 * @param manifestPath path of the manifest, relative to the project
 */
export function agentsView(model: ServerModel, manifestPath: string): object {
  const { place, ...commands } = manifestView(manifestPath);
  const hasOwnTransport = model.transports.some(({ type }) => type === "custom");
  return { manifest: place ?? null, ...commands, packageName: model.name, hasOwnTransport };
}

function scriptView({ name, parameters, words }: PackageScript) {
  const call = ["npm run", name, ...(parameters === undefined ? [] : [parameters])].join(" ");
  return { call, words };
}

/** The transport in commands of the README: stdio or http, if the server has one of them. */
function startFlag({ transports }: ServerModel): string {
  const types: readonly string[] = transports.map(({ type }) => type);
  return ["stdio", "http", ...types].find((type) => types.includes(type)) ?? "stdio";
}

/** The port that the README takes as an example of another one. */
const EXAMPLE_PORT = 4000;

function httpView(http: HttpTransportModel, { scale, databases = [] }: ServerModel) {
  const { path, port, health, ready, metrics, card, page, tls, sessions } = http;
  return {
    url: localUrl(http),
    otherPort: port === EXAMPLE_PORT ? EXAMPLE_PORT + 1 : EXAMPLE_PORT,
    port,
    health,
    ready: ready ?? null,
    needs: [scale && "Redis", databases.length > 0 && "a database"].filter(Boolean).join(" or "),
    metrics: metrics ?? null,
    card: card === undefined ? null : cardPath(path),
    page: page !== undefined,
    tls: tls === undefined ? null : { cert: tls.cert, key: tls.key },
    sessions: sessions === "memory",
  };
}

/** The flags of the transports that listen on every address of the machine. */
function flagsOfEveryAddress({ transports }: ServerModel): string[] {
  return transports.flatMap((transport) =>
    "host" in transport && isEveryAddress(transport.host) ? [`--${transport.type}`] : [],
  );
}

function callersView(model: ServerModel) {
  return {
    byManifest: model.auth !== undefined,
    knownBy: credentialsInWords(model),
    hasTokens: readsTokens(model),
    mustSay: needsAuthentication(model),
    isFiltered: filtersLists(model),
    publicMethods: [...(model.auth?.public ?? [])],
    hidesInstances: model.resourceTemplates.some(
      ({ list, scopes }) => list !== undefined && scopes !== undefined,
    ),
  };
}

/** The credentials of callers, in words. */
function credentialsInWords({ auth }: ServerModel): string {
  const shown = new Set(auth?.credentials.map(({ kind }) => kind));
  const kinds = CREDENTIAL_KEYS.filter((kind) => shown.has(kind));
  return [...new Set(kinds.map((kind) => CREDENTIALS[kind].words))].join(" or ");
}

/** The handler that the section "Write a handler" uses as its example; the handler of a tool, if there is one. */
function firstHandler(model: ServerModel): object | null {
  const items: readonly ItemModel[] = [
    ...model.tools,
    ...model.prompts,
    ...model.resourceTemplates,
    ...model.resources,
  ];
  const item = items.find(({ behaviour }) => behaviour.kind === "handler");
  if (item === undefined) return null;
  return {
    ...SIGNATURES[item.kind],
    isTool: item.kind === "tool",
    name: item.name,
    identifier: item.identifier,
    path: handlerPath(item),
    upstream: model.upstreams?.[0]?.name ?? null,
    testPath: starterTestPath(item),
    returnsValue: item.kind === "tool" && item.output !== undefined,
    hasResources:
      withHandler<ItemModel>([...model.resources, ...model.resourceTemplates]).length > 0,
    hasPrompts: withHandler(model.prompts).length > 0,
    completes: [...model.prompts, ...model.resourceTemplates].some(
      (one) => completionOf(one) !== undefined,
    ),
    switches: switchesOf(model),
    isWatched: [...model.resources, ...model.resourceTemplates].some(({ subscribe }) => subscribe),
  };
}

/** The question to users that the README shows. Its call is null if handlers ask for other things only. */
function firstQuestion(model: ServerModel): object | null {
  const asking = askingItems(itemsOf(model));
  if (asking.length === 0) return null;
  const [first] = asking.flatMap(({ asks }) => asks.elicitations);
  if (first === undefined) return { call: null };
  // The example passes texts. An argument of the same name may be a list, which is no valid value.
  const values = first.values.map(({ name }) => `${writeKey(name)}: "…"`);
  const argument = values.length === 0 ? "" : `{ ${values.join(", ")} }`;
  return { call: `await ctx.elicit.${first.key}(${argument})` };
}

/** The member of `ctx` that switches items of the first kind with switchable items; null if there are none. */
function switchesOf({ tools, resources, resourceTemplates, prompts }: ServerModel): string | null {
  const lists = { tools, resources: [...resources, ...resourceTemplates], prompts };
  const found = Object.entries(lists).find(([, items]) =>
    items.some(({ enabled }) => enabled !== undefined),
  );
  return found?.[0] ?? null;
}

const SIGNATURES: Readonly<Record<ItemKind, { type: string; parameter: string }>> = {
  tool: { type: "ToolHandler", parameter: "input" },
  prompt: { type: "PromptHandler", parameter: "args" },
  resource: { type: "ResourceHandler", parameter: "uri" },
  resourceTemplate: { type: "ResourceTemplateHandler", parameter: "variables" },
};
