import { gatewayTools } from "../../../templates/runtime/search/gateway-tools.js";
import type { JsonObject } from "../../model/json.js";
import { needsAuthentication } from "../../model/authentication.js";
import type { ManifestSetting } from "../../model/manifest.js";
import type { ApiKeysModel, AuthModel } from "../../model/auth.js";
import { findsInstances } from "../bodies/body-items.js";
import type { EnvVariableModel, ItemModel, ServerModel } from "../../model/server-model.js";
import type {
  ListContract,
  ListSettings,
  ServerContract,
} from "../../../templates/runtime/suite/contract.js";

/** What lets the tests send as much as where the manifest sets no limits; from the project's folder. */
const USUAL_TRAFFIC = ["--import", "./dist/test/generated/suite/clients/usual-traffic.js"];

/** Limits on how a client may send. */
const TRAFFIC_LIMITS = [
  ...(["bodyBytes", "ratePerSecond", "sessions", "sessionIdleMs", "connections"] as const),
  ...(["headersTimeoutMs", "bodyTimeoutMs"] as const),
];

export function serverContract(model: ServerModel): ServerContract {
  const { name, title, version, description, websiteUrl, icons, instructions } = model;
  return {
    info: present({ name, title, version, description, websiteUrl, icons }),
    ...(instructions !== undefined && { instructions }),
    protocol: model.protocol,
    transports: model.transports.map((transport) => present({ ...transport })),
    ...(model.limits !== undefined && { limits: present(model.limits) }),
    ...(limitsTraffic(model) && { nodeArguments: USUAL_TRAFFIC }),
    env: model.env.map(({ description: _forReaders, ...variable }) => present(variable)),
    capabilities: capabilities(model),
    settings: listSettings(model),
    ...(needsAuthentication(model) && { guarded: guardedRequest(model) }),
    ...present({
      timeouts: noneIfEmpty(ownSettings(model, ({ timeoutMs }) => timeoutMs)),
      scopes: noneIfEmpty(ownSettings(model, ({ scopes }) => scopes)),
      environment: noneIfEmpty(madeUpEnvironment(model)),
    }),
    lists: lists(model),
  };
}

/** Whether the manifest sets limits that the tests, which are busier than clients, would meet. */
export function limitsTraffic({ limits = {} }: ServerModel): boolean {
  return TRAFFIC_LIMITS.some((name) => name in limits);
}

/** How the lists are served, where the manifest says it. */
export function listSettings({ cache, pageSize }: ServerModel): ListSettings {
  return { ...(pageSize !== undefined && { pageSize }), ...(cache !== undefined && { cache }) };
}

/** What an item says about how it is served, for the contract of its kind. */
export function itemSettings({ enabled }: ItemModel): { readonly enabled?: boolean } {
  return enabled === undefined ? {} : { enabled };
}

function capabilities(model: ServerModel): JsonObject {
  const { tools, resources, resourceTemplates, prompts } = model;
  const read = [...resources, ...resourceTemplates];
  const subscribe = read.some((item) => item.subscribe);
  const listChanged = areSwitched(read) || resourceTemplates.some(({ list }) => list !== undefined);
  const completed = [...resourceTemplates, ...prompts].some((item) =>
    (item.kind === "prompt" ? item.arguments : item.variables).some(({ complete }) => complete),
  );
  return {
    logging: {},
    ...(tools.length > 0 && { tools: { listChanged: areSwitched(tools) } }),
    ...(read.length > 0 && { resources: { subscribe, listChanged } }),
    ...(prompts.length > 0 && { prompts: { listChanged: areSwitched(prompts) } }),
    ...(completed && { completions: {} }),
  };
}

function areSwitched(items: readonly ItemModel[]): boolean {
  return items.some(({ enabled }) => enabled !== undefined);
}

/** What items have of their own of a setting, by list and name. */
function ownSettings<Setting>(
  { tools, resources, resourceTemplates, prompts }: ServerModel,
  settingOf: (item: ItemModel) => Setting | undefined,
): Record<string, Record<string, Setting>> {
  const lists = { tools, resources, resourceTemplates, prompts };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([list, items]: [string, readonly ItemModel[]]) => {
      const own = items.flatMap((item) => {
        const setting = settingOf(item);
        return setting === undefined ? [] : [[item.name, setting] as const];
      });
      return own.length === 0 ? [] : [[list, Object.fromEntries(own)] as const];
    }),
  );
}

function noneIfEmpty(record: object): object | undefined {
  return Object.keys(record).length === 0 ? undefined : record;
}

/** A request for the first item that needs scopes; where none does, one that everybody may send who is known. */
function guardedRequest(model: ServerModel): NonNullable<ServerContract["guarded"]> {
  const { tools, prompts, resources, resourceTemplates } = model;
  const scoped = <Item extends ItemModel>(items: readonly Item[]): Item | undefined =>
    items.find(({ scopes }) => scopes !== undefined);
  const [tool, prompt, resource] = [scoped(tools), scoped(prompts), scoped(resources)];
  if (tool !== undefined) {
    return { method: "tools/call", params: { name: tool.name, arguments: {} } };
  }
  if (prompt !== undefined) return { method: "prompts/get", params: { name: prompt.name } };
  if (resource !== undefined) return { method: "resources/read", params: { uri: resource.uri } };
  const template = scoped(resourceTemplates);
  if (template === undefined) return { method: "server/discover", params: {} };
  const { uriTemplate, variables } = template;
  const ref = { type: "ref/resource", uri: uriTemplate };
  const argument = { name: variables[0]?.name ?? "", value: "" };
  return { method: "completion/complete", params: { ref, argument } };
}

/** The fields that have a value, as JSON. */
function present(fields: object): JsonObject {
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}

/** What a test's server is started with: values for what is required, and for what it cannot start without. */
function madeUpEnvironment({
  env,
  upstreams = [],
  auth,
  audit,
}: ServerModel): Record<string, string> {
  const files = new Set(upstreams.flatMap(({ settings: { ca, cert, key } }) => [ca, cert, key]));
  const ofAuth = auth === undefined ? {} : authenticationValues(auth);
  return Object.fromEntries(
    env.flatMap((variable): [string, string][] => {
      const { name, required, default: usual } = variable;
      const isRequired = required && usual === undefined;
      const isSet = isRequired || usual !== undefined;
      if (files.has(name) && isSet) return [[name, READABLE_FILE]];
      if (audit?.to?.env === name && isSet) return [[name, TEST_TRAIL]];
      if (usual === undefined && Object.hasOwn(ofAuth, name)) return [[name, ofAuth[name] ?? ""]];
      return isRequired ? [[name, madeUpValue(variable)]] : [];
    }),
  );
}

/** Values for the variables of `auth`: an authorization server that is never asked, and the key of nobody. */
function authenticationValues({ resource, jwt, introspection, apiKeys }: AuthModel) {
  const { url, client, secret, issuer, audience = [] } = introspection ?? {};
  const texts = [...jwt.flatMap((one) => one.audience), ...audience, client, secret];
  const urls = [resource, ...jwt.flatMap((one) => [one.issuer, one.jwks]), url, issuer];
  return Object.fromEntries([
    ...texts.flatMap((setting) => valueOf(setting, "test")),
    ...urls.flatMap((setting) => valueOf(setting, "http://localhost/")),
    ...valueOf(apiKeys, `test:${"0".repeat(64)}:`),
  ]) as Record<string, string>;
}

function valueOf(
  setting: ManifestSetting | ApiKeysModel | undefined,
  value: string,
): [string, string][] {
  return typeof setting === "object" && "env" in setting ? [[setting.env, value]] : [];
}

/** Stands in for certificates, which are read at start and used at the first connection: every project has it. */
const READABLE_FILE = "package.json";

/** Where tests write down who called what: it goes with the next build. */
const TEST_TRAIL = "dist/audit.log";

function madeUpValue({ type, enum: choices }: EnvVariableModel): string {
  const made = { string: "test", number: "1", boolean: "true", url: "http://localhost/" };
  return String(choices?.[0] ?? made[type]);
}

/** How many tools are listed from the start. */
function listedTools({ tools, exposure }: ServerModel): number {
  const there = tools.filter(({ enabled }) => enabled !== false);
  if (exposure === undefined) return there.length;
  return gatewayTools.length + there.filter(({ name }) => exposure.listed.includes(name)).length;
}

/** The list methods of the capabilities that the server declares; resources and templates are one. */
function lists(model: ServerModel): ListContract[] {
  const { tools, resources, resourceTemplates, prompts, pageSize = Infinity } = model;
  const onFirstPage = (items: readonly ItemModel[]): number =>
    Math.min(items.filter(({ enabled }) => enabled !== false).length, pageSize);
  const hasResources = resources.length + resourceTemplates.length > 0;
  const all: (ListContract & { readonly offered: boolean })[] = [
    {
      method: "tools/list",
      key: "tools",
      length: Math.min(listedTools(model), pageSize),
      offered: tools.length > 0,
    },
    {
      method: "resources/list",
      key: "resources",
      length: onFirstPage(resources),
      // No test on a transport asks a service or a database of the server itself.
      offered: hasResources && !findsInstances(model),
      isOpen: resourceTemplates.some(({ list }) => list !== undefined),
    },
    {
      method: "resources/templates/list",
      key: "resourceTemplates",
      length: onFirstPage(resourceTemplates),
      offered: hasResources,
    },
    {
      method: "prompts/list",
      key: "prompts",
      length: onFirstPage(prompts),
      offered: prompts.length > 0,
    },
  ];
  return all
    .filter(({ offered }) => offered)
    .map(({ method, key, length, isOpen }) => ({
      method,
      key,
      length,
      ...(isOpen && { isOpen }),
    }));
}
