import { resourceTools as addedResourceTools } from "../../../templates/runtime/resource-tools/definitions.js";
import { gatewayTools } from "../../../templates/runtime/search/gateway-tools.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { needsAuthentication } from "../../model/authentication.js";
import { addedAccountTools } from "../../model/linked-accounts.js";
import type { ManifestSetting } from "../../model/manifest.js";
import { CREDENTIALS } from "../../credentials/index.js";
import type { AuthModel } from "../../model/auth.js";
import { hasTasks, privateKeys } from "../model-facts.js";
import { findsInstances } from "../bodies/body-items.js";
import type {
  EnvVariableModel,
  ItemModel,
  ServerModel,
  ResourceTemplateModel,
  ToolModel,
} from "../../model/server-model.js";
import type {
  ListContract,
  ListSettings,
  ServerContract,
} from "../../../templates/runtime/suite/contract.js";

/**
 * The contract of the server itself: what it says about itself, its transports, limits and settings. What is as usual is
 * left out.
 */
export function serverContract(model: ServerModel): Partial<
  Omit<ServerContract, "project" | "contracts" | "lists">
> & {
  readonly lists: readonly FirstPage[];
} {
  const { name, title, version, description, websiteUrl, icons, instructions } = model;
  return {
    info: present({ name, title, version, description, websiteUrl, icons }),
    ...(instructions !== undefined && { instructions }),
    ...(model.protocol.legacy !== "serve" && { protocol: model.protocol }),
    transports: model.transports.map((transport) => present({ ...transport })),
    ...(model.limits !== undefined && { limits: present(model.limits) }),
    ...(model.env.length > 0 && { env: model.env.map(environmentVariable) }),
    capabilities: capabilities(model),
    ...(needsAuthentication(model) && { needsToken: true, guarded: guardedRequest(model) }),
    ...present({
      timeouts: noneIfEmpty(ownSettings(model, ({ timeoutMs }) => timeoutMs)),
      scopes: noneIfEmpty(ownSettings(model, ({ scopes }) => scopes)),
      groups: noneIfEmpty(ownSettings(model, ({ groups }) => groups)),
      restrict: model.restrict,
      environment: noneIfEmpty(testEnvironment(model)),
      privateKeys: noneIfEmpty(keyVariables(model)),
      settings: noneIfEmpty(listSettings(model)),
    }),
    lists: lists(model),
  };
}

function environmentVariable({
  description: _description,
  ask: _ask,
  path: _path,
  ...variable
}: EnvVariableModel): JsonObject {
  return present(variable);
}

/** The manifest's settings for lists. */
function listSettings({ cache, pageSize }: ServerModel): ListSettings {
  return { ...(pageSize !== undefined && { pageSize }), ...(cache !== undefined && { cache }) };
}

/** The settings of an item that every kind of contract has. */
export function itemSettings({ enabled }: ItemModel): { readonly enabled?: boolean } {
  return enabled === undefined ? {} : { enabled };
}

function capabilities(model: ServerModel): JsonObject {
  const { tools, resources, resourceTemplates, prompts } = model;
  const read = [...resources, ...resourceTemplates];
  const subscribe = read.some((item) => item.subscribe);
  const listChanged =
    areSwitched(read) ||
    resourceTemplates.some(({ list }) => list !== undefined) ||
    readsSkills(model).some((template) => template.subscribe);
  const hasCompletions = [...resourceTemplates, ...prompts].some((item) =>
    (item.kind === "prompt" ? item.arguments : item.variables).some(({ complete }) => complete),
  );
  return {
    logging: {},
    ...((tools.length > 0 || addedTools(model) > 0) && {
      tools: { listChanged: areSwitched(tools) },
    }),
    ...(read.length > 0 && { resources: { subscribe, listChanged } }),
    ...(prompts.length > 0 && { prompts: { listChanged: areSwitched(prompts) } }),
    ...(hasCompletions && { completions: {} }),
    ...present({ extensions: noneIfEmpty(advertisedExtensions(model)) }),
  };
}

/** The templates that read the files of skills. */
function readsSkills({ resourceTemplates, skills = [] }: ServerModel): ResourceTemplateModel[] {
  return resourceTemplates.filter(({ name }) => skills.some(({ template }) => template === name));
}

/** The settings of the extensions that clients are told of, by their ids. */
function advertisedExtensions(model: ServerModel): object {
  const { tools, skills, extensions } = model;
  return {
    ...(tools.some(hasApp) && { "io.modelcontextprotocol/ui": {} }),
    ...(skills !== undefined && { "io.modelcontextprotocol/skills": { directoryRead: true } }),
    ...(hasTasks(model) && { "io.modelcontextprotocol/tasks": {} }),
    ...extensions,
  };
}

/** Whether the tool's `_meta` names a page, which the extension MCP Apps shows. */
function hasApp({ wire: { _meta: meta } }: ToolModel): boolean {
  return isJsonObject(meta) && isJsonObject(meta["ui"]);
}

function areSwitched(items: readonly ItemModel[]): boolean {
  return items.some(({ enabled }) => enabled !== undefined);
}

/** The values of a setting that items set themselves, by list and name of the item. */
function ownSettings<Setting>(
  { tools, resources, resourceTemplates, prompts }: ServerModel,
  settingOf: (item: ItemModel) => Setting | undefined,
): Record<string, Record<string, Setting>> {
  const lists = { tools, resources, resourceTemplates, prompts };
  return Object.fromEntries(
    Object.entries(lists).flatMap(([list, items]: [string, readonly ItemModel[]]) => {
      const settings = items.flatMap((item) => {
        const setting = settingOf(item);
        return setting === undefined ? [] : [[item.name, setting] as const];
      });
      return settings.length === 0 ? [] : [[list, Object.fromEntries(settings)] as const];
    }),
  );
}

function noneIfEmpty(record: object): object | undefined {
  return Object.keys(record).length === 0 ? undefined : record;
}

/** A request for the first item that needs scopes; if none does, a request that every known caller may send. */
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

/** The environment of the tests' servers: values for required variables and for files and URLs that must be usable. */
function testEnvironment({
  env,
  upstreams = [],
  auth,
  audit,
}: ServerModel): Record<string, string> {
  const files = new Set(upstreams.flatMap(({ settings }) => certificateFiles(settings)));
  const ofAuth = auth === undefined ? {} : authenticationValues(auth);
  return Object.fromEntries(
    env.flatMap((variable): [string, string][] => {
      const { name, required, default: defaultValue } = variable;
      const isRequired = required && defaultValue === undefined;
      const isSet = isRequired || defaultValue !== undefined;
      if (files.has(name) && isSet) return [[name, READABLE_FILE]];
      if (audit?.to?.env === name && isSet) return [[name, TEST_TRAIL]];
      if (defaultValue === undefined && Object.hasOwn(ofAuth, name)) {
        return [[name, ofAuth[name] ?? ""]];
      }
      return isRequired ? [[name, sampleValue(variable)]] : [];
    }),
  );
}

/** The variables with the files of an upstream's certificates, and of those that its client shows for tokens. */
function certificateFiles({ ca, cert, key, auth }: JsonObject): (JsonValue | undefined)[] {
  const shown = isJsonObject(auth) ? auth["clientCertificate"] : undefined;
  return [ca, cert, key, ...(isJsonObject(shown) ? [shown["cert"], shown["key"]] : [])];
}

/** The variables with private keys that are always set. Tests make new keys for them, since these stand in no file. */
function keyVariables(model: ServerModel): string[] {
  const needed = new Set(model.env.filter(({ required }) => required).map(({ name }) => name));
  const names = privateKeys(model).flatMap((key) => (isJsonObject(key) ? String(key["env"]) : []));
  return [...new Set(names)].filter((name) => needed.has(name));
}

/** Values for the variables of `auth`: a server that gets no requests, and an API key that no caller has. */
function authenticationValues({ resource, credentials }: AuthModel): Record<string, string> {
  const stated = credentials.flatMap((credential) =>
    Object.entries(CREDENTIALS[credential.kind].settings).map(
      ([name, content]) => [content, Reflect.get(credential, name) as StatedSetting] as const,
    ),
  );
  return Object.fromEntries(
    Object.entries(AUTH_VALUES).flatMap(([wanted, value]) =>
      [...stated, ["url", resource] as const]
        .flatMap(([content, setting]) => (content === wanted ? setting : undefined))
        .flatMap((setting) => (typeof setting === "object" ? [[setting.env, value] as const] : [])),
    ),
  );
}

type StatedSetting = ManifestSetting | readonly ManifestSetting[] | undefined;

/** What settings of credentials hold. Where two share a variable, the later value is that of the variable. */
const AUTH_VALUES = {
  text: "test",
  secret: "test",
  url: "http://localhost/",
  keys: `test:${"0".repeat(64)}:`,
};

/** A file that every project has. Servers read it at the start instead of a certificate, which tests never use. */
const READABLE_FILE = "package.json";

/** The audit log of the tests. The next build deletes it. */
const TEST_TRAIL = "dist/audit.log";

function sampleValue({ type, enum: choices }: EnvVariableModel): string {
  const samples = { string: "test", number: "1", boolean: "true", url: "http://localhost/" };
  return String(choices?.[0] ?? samples[type]);
}

/** The number of tools that the server adds for resources and for accounts of callers. */
function addedTools(model: ServerModel): number {
  const ofResources = model.resourceTools === true ? addedResourceTools.length : 0;
  return ofResources + addedAccountTools(model).length;
}

/** The number of tools that the server lists at the start. */
function listedTools(model: ServerModel): number {
  const { tools, exposure } = model;
  const added = addedTools(model);
  const enabledTools = tools.filter(({ enabled }) => enabled !== false);
  if (exposure === undefined) return enabledTools.length + added;
  const { listed } = exposure;
  const count = enabledTools.filter(({ name }) => listed.includes(name)).length;
  return gatewayTools.length + count + added;
}

/** The first page of a list, without its length if it has all items. */
type FirstPage = Omit<ListContract, "length"> & { readonly length?: number };

/** A list method, and whether the server offers it. */
interface OfferedList extends ListContract {
  readonly key: "tools" | "resources" | "resourceTemplates" | "prompts";
  readonly offered: boolean;
}

/** The list methods that the server offers. Resources and templates are one capability. */
function lists(
  model: ServerModel,
): (Omit<ListContract, "length"> & { readonly length?: number })[] {
  const { tools, resources, resourceTemplates, prompts, skills, pageSize = Infinity } = model;
  const onFirstPage = (items: readonly ItemModel[]): number =>
    Math.min(items.filter(({ enabled }) => enabled !== false).length, pageSize);
  const hasResources = resources.length + resourceTemplates.length > 0;
  const all: OfferedList[] = [
    {
      method: "tools/list",
      key: "tools",
      length: Math.min(listedTools(model), pageSize),
      offered: tools.length > 0 || addedTools(model) > 0,
    },
    {
      method: "resources/list",
      key: "resources",
      length: onFirstPage(resources),
      // Tests of transports must not ask the server's own upstreams or databases.
      offered: hasResources && !findsInstances(model),
      isOpen: resourceTemplates.some(({ list }) => list !== undefined) || skills !== undefined,
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
      // The suite counts the items where all of them are listed.
      ...(length !== model[key].length && { length }),
      ...(isOpen && { isOpen }),
    }));
}
