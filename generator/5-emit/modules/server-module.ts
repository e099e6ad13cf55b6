import type { ImportDeclarationStructure } from "ts-morph";
import { StructureKind } from "../../text/structure-kinds.js";
import type { JsonObject } from "../../model/json.js";
import type { EnvVariableModel, ServerModel, TransportModel } from "../../model/server-model.js";
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
import { itemLists } from "./item-lists.js";
import type { Entry } from "./item-settings.js";
import { runtimePartEntries, runtimePartImports } from "./runtime-parts.js";
import { constant, importOf, importTypes, typeAlias } from "./structures.js";

/** `src/generated/server.ts`: the tables put together into one definition. */
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
      value: objectOf([
        ["info", serverInfo(model)],
        ...instructions(model),
        ["protocol", literalOf({ legacy: model.protocol.legacy })],
        ["transports", listOf(model.transports.map(transport))],
        ...(model.env.length === 0
          ? []
          : [["env", listOf(model.env.map(environmentVariable))] as const]),
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
      ]),
      docs: "Everything that the manifest says, in the form that the runtime serves.",
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
      "What `createServer` takes.",
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

/** `Implementation` of the protocol, keys in its order. */
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

function exposure({ exposure: exposed }: ServerModel): Entry[] {
  return exposed === undefined ? [] : [["exposure", literalOf({ listed: [...exposed.listed] })]];
}

function page(model: ServerModel): Entry[] {
  return FEATURES.page(model) ? [["loadPage", '() => import("./page.ts")']] : [];
}

/** Methods that need no token. */
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

function databases({ databases: asked = [] }: ServerModel): Entry[] {
  const definitions = asked.map(({ testSetup: _testSetup, ...definition }) =>
    literalOf(definition as unknown as JsonObject),
  );
  return definitions.length === 0 ? [] : [["databases", listOf(definitions)]];
}

function scale(model: ServerModel): Entry[] {
  if (!FEATURES.scale(model) || model.scale === undefined) return [];
  return [["scale", literalOf(model.scale as unknown as JsonObject)]];
}

function environmentVariable(variable: EnvVariableModel): Code {
  const { description: _description, ...rest } = variable;
  return literalOf(rest as unknown as JsonObject);
}
