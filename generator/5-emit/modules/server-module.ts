import type { ImportDeclarationStructure, StatementStructures } from "ts-morph";
import { StructureKind } from "../../text/structure-kinds.js";
import type { JsonObject } from "../../model/json.js";
import type { EnvVariableModel, ServerModel, TransportModel } from "../../model/server-model.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import { runtimePartEntries, runtimePartImports } from "./runtime-parts.js";
import {
  arrayLiteral,
  constant,
  importOf,
  importTypes,
  objectLiteral,
  typeAlias,
} from "./structures.js";

type Entry = readonly [key: string, expression: string];

/** `src/generated/server.ts`: the tables put together into one definition. */
export function serverModule(model: ServerModel): StatementStructures[] {
  const lists = listsOf(model);
  return [
    ...runtimeImports(model),
    ...["prompts", "resources", "tools"].flatMap((module) => {
      const names = lists.filter((list) => list.present && list.module === module);
      return names.length === 0
        ? []
        : [
            importOf(
              `./${module}.js`,
              names.map(({ name }) => name),
            ),
          ];
    }),
    importTypes("./types.js", ["Env", "Services"]),
    constant({
      name: "definition",
      type: "ServerDefinition",
      initializer: objectLiteral([
        ["info", serverInfo(model)],
        ...instructions(model),
        ["protocol", writeLiteral({ legacy: model.protocol.legacy })],
        ["transports", arrayLiteral(model.transports.map(transport))],
        ["env", arrayLiteral(model.env.map(environmentVariable))],
        ...limits(model),
        ...listSettings(model),
        ...lists.map(({ name, present }): Entry => [name, present ? name : "[]"]),
        ...runtimePartEntries(model),
      ]),
      docs: "Everything that the manifest says, in the form that the runtime serves.",
    }),
    typeAlias(
      "Options",
      'Partial<Omit<ServerOptions, "env" | "services">> & { readonly env?: Env; readonly services?: Services }',
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
  const packageVersion = importOf("./runtime/start/package-version.js", ["packageVersion"]);
  return [
    importOf("./runtime/server/create-server.js", [
      "createServer as createRuntimeServer",
      "type RunningServer",
      "type ServerOptions",
    ]),
    importTypes("./runtime/engine/definition.js", ["ServerDefinition"]),
    ...(model.version === undefined ? [packageVersion] : []),
    importOf("./runtime/start/project-root.js", ["projectRoot"]),
    ...runtimePartImports(model),
  ].sort((one, other) => (one.moduleSpecifier < other.moduleSpecifier ? -1 : 1));
}

function listsOf(model: ServerModel): { module: string; name: string; present: boolean }[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  return [
    { module: "tools", name: "tools", present: tools.length > 0 },
    { module: "resources", name: "resources", present: resources.length > 0 },
    { module: "resources", name: "resourceTemplates", present: resourceTemplates.length > 0 },
    { module: "prompts", name: "prompts", present: prompts.length > 0 },
  ];
}

/** `Implementation` of the protocol, keys in its order. */
function serverInfo(model: ServerModel): string {
  const { name, title, version, description, websiteUrl, icons } = model;
  return objectLiteral([
    ["name", writeString(name)],
    ...(title === undefined ? [] : [["title", writeString(title)] as const]),
    ["version", version === undefined ? "packageVersion" : writeString(version)],
    ...(description === undefined ? [] : [["description", writeString(description)] as const]),
    ...(websiteUrl === undefined ? [] : [["websiteUrl", writeString(websiteUrl)] as const]),
    ...(icons === undefined ? [] : [["icons", writeLiteral([...icons])] as const]),
  ]);
}

function instructions(model: ServerModel): Entry[] {
  return model.instructions === undefined
    ? []
    : [["instructions", writeString(model.instructions)]];
}

function listSettings({ cache, pageSize }: ServerModel): Entry[] {
  return [
    ...(cache === undefined ? [] : [["cache", writeLiteral(cache as JsonObject)] as const]),
    ...(pageSize === undefined ? [] : [["pageSize", writeLiteral(pageSize)] as const]),
  ];
}

function limits(model: ServerModel): Entry[] {
  return model.limits === undefined ? [] : [["limits", writeLiteral(model.limits)]];
}

function transport(model: TransportModel): string {
  return writeLiteral(model as unknown as JsonObject);
}

function environmentVariable(variable: EnvVariableModel): string {
  const { description: _description, ...rest } = variable;
  return writeLiteral(rest as unknown as JsonObject);
}
