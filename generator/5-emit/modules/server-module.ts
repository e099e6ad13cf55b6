import type { ImportDeclarationStructure } from "ts-morph";
import { StructureKind } from "../../text/structure-kinds.js";
import type { JsonObject } from "../../model/json.js";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import type { TransportModel } from "../../model/transports.js";
import {
  intersectionOf,
  listOf,
  literalOf,
  objectOf,
  shortMembersOf,
  type Code,
} from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { hasNetwork } from "../../model/authentication.js";
import { FEATURES } from "../features.js";
import type { FileStatements } from "../typescript-printer.js";
import { itemLists, type ItemList } from "./item-lists.js";
import type { Entry } from "./item-settings.js";
import { runtimePartEntries, runtimePartImports } from "./runtime-parts.js";
import { constant, importOf, importTypes, typeAlias } from "./structures.js";

/** `src/generated/server.ts`: the definition of the server, which combines the lists of items and all settings. */
export function serverModule(model: ServerModel): FileStatements {
  const lists = itemLists(model);
  return [
    ...runtimeImports(model),
    ...lists
      .filter(({ items }) => items.length > 0)
      .map(({ module, name }) => importOf(`./${module}.ts`, [name])),
    importTypes("./types.ts", ["Env", "Services"]),
    constant({
      name: "definition",
      type: "ServerDefinition",
      value: objectOf(definitionEntries(model, lists)),
      docs: "The whole manifest, in the form that the runtime serves.",
    }),
    typeAlias(
      "Options",
      intersectionOf([
        'Partial<Omit<ServerOptions, "env" | "services">>',
        shortMembersOf([
          { name: "readonly env?", type: "Env" },
          { name: "readonly services?", type: "Services" },
        ]),
      ]),
      "The options of `createServer`.",
    ),
    {
      kind: StructureKind.Function,
      isExported: true,
      name: "createServer",
      parameters: [{ name: "options", type: "Options", initializer: "{}" }],
      returnType: "RunningServer",
      statements: ["return createRuntimeServer(definition, { root: projectRoot, ...options });"],
      docs: ["Makes the server without a transport."],
    },
  ];
}

function definitionEntries(model: ServerModel, lists: readonly ItemList[]): Entry[] {
  const { protocol, transports, env } = model;
  return [
    ["info", serverInfo(model)],
    ...instructions(model),
    ["protocol", literalOf({ legacy: protocol.legacy })],
    ["transports", listOf(transports.map(transport))],
    ...(env.length === 0 ? [] : [["env", listOf(env.map(environmentVariable))] as const]),
    ...upstreams(model),
    ...remoteServers(model),
    ...databases(model),
    ...audit(model),
    ...scale(model),
    ...limits(model),
    ...listSettings(model),
    ...exposure(model),
    ...publicMethods(model),
    ...lists.map(({ name, items }): Entry => [name, items.length > 0 ? name : "[]"]),
    ...runtimePartEntries(model),
    ...page(model),
  ];
}

function runtimeImports(model: ServerModel): ImportDeclarationStructure[] {
  const packageVersion = importOf("./runtime/start/package-version.ts", ["packageVersion"]);
  return [
    importOf("./runtime/server/create-server.ts", [
      "createServer as createRuntimeServer",
      "type RunningServer",
      "type ServerOptions",
    ]),
    importTypes("./runtime/engine/definition.ts", ["ServerDefinition"]),
    ...(model.version === undefined ? [packageVersion] : []),
    importOf("./runtime/start/project-root.ts", ["projectRoot"]),
    ...runtimePartImports(model),
  ].sort((one, other) => (one.moduleSpecifier < other.moduleSpecifier ? -1 : 1));
}

/** The server's `Implementation` object of the protocol, with keys in the protocol's order. */
function serverInfo(model: ServerModel): Code {
  const { name, title, version, description, websiteUrl, icons } = model;
  return objectOf([
    ["name", writeString(name)],
    ...(title === undefined ? [] : [["title", writeString(title)] as const]),
    ["version", version === undefined ? "packageVersion" : writeString(version)],
    ...(description === undefined ? [] : [["description", writeString(description)] as const]),
    ...(websiteUrl === undefined ? [] : [["websiteUrl", writeString(websiteUrl)] as const]),
    ...(icons === undefined ? [] : [["icons", literalOf([...icons])] as const]),
  ]);
}

function instructions(model: ServerModel): Entry[] {
  return model.instructions === undefined
    ? []
    : [["instructions", writeString(model.instructions)]];
}

function listSettings({ cache, pageSize }: ServerModel): Entry[] {
  return [
    ...(cache === undefined ? [] : [["cache", literalOf(cache as JsonObject)] as const]),
    ...(pageSize === undefined ? [] : [["pageSize", literalOf(pageSize)] as const]),
  ];
}

function exposure({ exposure: search }: ServerModel): Entry[] {
  return search === undefined ? [] : [["exposure", literalOf({ listed: [...search.listed] })]];
}

function page(model: ServerModel): Entry[] {
  return FEATURES.page(model) ? [["loadPage", '() => import("./page.ts")']] : [];
}

/** The entry `publicMethods`: methods that need no token. */
function publicMethods(model: ServerModel): Entry[] {
  const { public: methods = [] } = model.auth ?? {};
  if (!hasNetwork(model) || methods.length === 0) return [];
  return [["publicMethods", literalOf([...methods])]];
}

function audit({ audit: trail }: ServerModel): Entry[] {
  return trail === undefined ? [] : [["audit", literalOf(trail as unknown as JsonObject)]];
}

function limits(model: ServerModel): Entry[] {
  return model.limits === undefined ? [] : [["limits", literalOf(model.limits)]];
}

function transport(model: TransportModel): Code {
  return literalOf(model as unknown as JsonObject);
}

function upstreams({ upstreams: services = [] }: ServerModel): Entry[] {
  if (services.length === 0) return [];
  return [
    ["upstreams", listOf(services.map(({ name, settings }) => literalOf({ name, ...settings })))],
  ];
}

function remoteServers({ servers = [] }: ServerModel): Entry[] {
  if (servers.length === 0) return [];
  const definitions = servers.map(({ name, kind, settings }) =>
    literalOf({ name, kind, ...settings }),
  );
  return [["servers", listOf(definitions)]];
}

function databases({ databases: models = [] }: ServerModel): Entry[] {
  const definitions = models.map(({ testSetup: _testSetup, ...definition }) =>
    literalOf(definition as unknown as JsonObject),
  );
  return definitions.length === 0 ? [] : [["databases", listOf(definitions)]];
}

function scale(model: ServerModel): Entry[] {
  if (!FEATURES.scale(model) || model.scale === undefined) return [];
  return [["scale", literalOf(model.scale as unknown as JsonObject)]];
}

function environmentVariable(variable: EnvVariableModel): Code {
  const { description: _description, ...definition } = variable;
  return literalOf(definition as unknown as JsonObject);
}
