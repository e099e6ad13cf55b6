import { asksAnything } from "./asking.js";
import type {
  EnvVariableModel,
  ItemModel,
  PromptModel,
  ResourceTemplateModel,
  ServerModel,
  ToolModel,
} from "../../model/server-model.js";
import {
  argumentsTypeName,
  asksTypeName,
  completionTypeName,
  inputTypeName,
  outputTypeName,
  variablesTypeName,
} from "../../model/type-names.js";
import { conditionalType, functionType, unionOf } from "../../text/code.js";
import { hasCode } from "../bodies/body-items.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import type { Declaration } from "../declaration.js";
import { JSON_TYPE_NAMES } from "../types/json-types.js";
import type { FileStatement, FileStatements } from "../typescript-printer.js";
import { contextType, contextTypes, mayAsk } from "./asking.js";
import { itemsOf } from "../../model/items.js";
import { hasNetwork } from "../../model/authentication.js";
import { authImport, authMember, callerImport, callerType } from "./caller-types.js";
import { codeTypeImports, codeTypes } from "./completion-types.js";
import { verifiesCallers } from "../model-facts.js";
import { controlImports, controls, controlTypes } from "./controls.js";
import { completionOf } from "./handler-files.js";
import { itemModulePath } from "./module-names.js";
import { RUNTIME_NAMES } from "./runtime-names.js";
import {
  exportAllTypes,
  exportFrom,
  importTypes,
  interfaceOf,
  typeAlias,
  type Property,
} from "./structures.js";

/** The names of the types that the module of an item exports. */
export type TypeNames = ReadonlyMap<ItemModel, readonly string[]>;

/** The types that people import. Types of items are looked up by the name of the item. */
export function typeStatements(model: ServerModel, names: TypeNames): FileStatements {
  const declarations = [
    ...commonTypes(model),
    ...toolTypes(model.tools),
    ...resourceTypes(model),
    ...resourceTemplateTypes(model.resourceTemplates),
    ...promptTypes(model.prompts),
    ...contextTypes(model.tools),
    ...contextTypes(model.resources),
    ...contextTypes(model.resourceTemplates),
    ...contextTypes(model.prompts),
    ...codeTypes(model),
  ];
  return [
    ...imports(model),
    ...itemsOf(model).flatMap(itemImport),
    ...schemaExports(model),
    ...itemExports(names, declarations),
    ...declarations,
  ];
}

const DATABASE_TYPES = { postgres: "PostgresDatabase", sqlite: "SqliteDatabase" } as const;

/** The names of the runtime's types for the databases of a server. */
export function databaseTypes({ databases = [] }: ServerModel): string[] {
  return [...new Set(databases.map(({ type }) => DATABASE_TYPES[type]))].sort();
}

function imports(model: ServerModel): FileStatement[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  const readsResources = resources.filter(hasCode).length + resourceTemplates.length > 0;
  const hasOutputs = tools.some((tool) => tool.output !== undefined);
  const hasHandlers = tools.length > 0 || prompts.some(hasCode) || readsResources;
  const returnsValues = hasHandlers || codeTypes(model).length > 0;
  return [
    importTypes("../context.ts", ["createServices"]),
    ...(hasNetwork(model)
      ? [
          importTypes("@mcpwright/runtime/auth", [
            "Authenticate as AuthenticateWith",
            ...(verifiesCallers(model) ? ["ManifestAuth"] : []),
          ]),
        ]
      : []),
    ...authImport(model),
    ...callerImport(model),
    ...codeTypeImports(model),
    importTypes("@mcpwright/runtime", [...(returnsValues ? ["Awaitable"] : []), "HandlerContext"]),
    ...(asksAnything(model) ? [importTypes("@mcpwright/runtime/asking", ["AskingContext"])] : []),
    ...(tools.length > 0 ? [importTypes("@mcpwright/runtime", ["ToolContent"])] : []),
    ...(prompts.some(hasCode) ? [importTypes("@mcpwright/runtime", ["PromptContent"])] : []),
    ...(readsResources ? [importTypes("@mcpwright/runtime", ["ResourceContent"])] : []),
    ...((model.upstreams ?? []).length > 0
      ? [importTypes("@mcpwright/runtime/upstreams", ["Upstream"])]
      : []),
    ...importAny(
      "@mcpwright/runtime/servers",
      (model.servers ?? []).length > 0 ? ["RemoteServer"] : [],
    ),
    ...importAny("@mcpwright/runtime/databases", databaseTypes(model)),
    ...(hasOutputs ? [importTypes("@mcpwright/runtime", ["ToolResult"])] : []),
    ...controlImports(model),
  ];
}

/** An import of these types; none if the list is empty. */
function importAny(module: string, names: readonly string[]): FileStatement[] {
  return names.length === 0 ? [] : [importTypes(module, names)];
}

/** The import of an item's types, if the declarations of this module use any. */
function itemImport(item: ItemModel): FileStatement[] {
  const asks = mayAsk(item) ? [asksTypeName(item)] : [];
  const names = [...codeTypeNames(item), ...asks].sort();
  return importAny(`./${itemModulePath(item)}.ts`, names);
}

function codeTypeNames(item: ItemModel): string[] {
  switch (item.kind) {
    case "tool":
      return [inputTypeName(item), ...(item.output === undefined ? [] : [outputTypeName(item)])];
    case "resource":
      return [];
    case "resourceTemplate":
      return [variablesTypeName(item), ...completionTypeNames(item)];
    case "prompt":
      return [...(hasCode(item) ? [argumentsTypeName(item)] : []), ...completionTypeNames(item)];
  }
}

function completionTypeNames(item: PromptModel | ResourceTemplateModel): string[] {
  return completionOf(item) === undefined ? [] : [completionTypeName(item)];
}

/**
 * Exports of the types of the manifest's `schemas`. Those that are called as something of the runtime are named, since
 * names that two modules export with `*` are errors.
 */
function schemaExports({ sharedSchemas }: ServerModel): FileStatement[] {
  const taken = sharedSchemas
    .map(({ typeName }) => typeName)
    .filter((name) => RUNTIME_NAMES.has(name));
  return [
    ...(sharedSchemas.length > 0 ? [exportAllTypes("./schemas.ts")] : []),
    ...(taken.length > 0 ? [exportFrom("./schemas.ts", taken, true)] : []),
  ];
}

/** Exports of all types of items. If several types have the same name, only the first one is exported. */
function itemExports(names: TypeNames, declarations: readonly Declaration[]): FileStatement[] {
  const taken = new Set<string>([
    ...JSON_TYPE_NAMES,
    ...RUNTIME_NAMES,
    ...declarations.map(({ name }) => name),
  ]);
  return [...names].flatMap(([item, typeNames]) => {
    const module = `./${itemModulePath(item)}.ts`;
    const free = typeNames.filter((name) => !taken.has(name));
    for (const name of free) taken.add(name);
    if (free.length === 0) return [];
    return [
      free.length === typeNames.length ? exportAllTypes(module) : exportFrom(module, free, true),
    ];
  });
}

function commonTypes(model: ServerModel): Declaration[] {
  return [
    interfaceOf(
      "Env",
      model.env.map(environmentProperty),
      "The environment variables of the manifest, as handlers see them.",
    ),
    typeAlias(
      "Services",
      "Awaited<ReturnType<typeof createServices>>",
      "The services that `createServices` in `src/context.ts` returns.",
    ),
    controlTypes(model),
    ...partnerTypes(model),
    ...callerType(model),
    typeAlias(
      "Context",
      contextMembers(model).join(" & "),
      "The second argument of every handler.",
    ),
    ...authenticateType(model),
  ];
}

/** The types with the upstreams, other MCP servers and databases of the manifest by name. */
function partnerTypes({
  upstreams = [],
  servers = [],
  databases = [],
}: ServerModel): Declaration[] {
  const members = (
    partners: readonly { readonly name: string }[],
    type: string,
  ): readonly Property[] => partners.map(({ name }) => ({ name, type, readonly: true }));
  const databaseMembers = databases.map(({ name, type }): Property => ({
    name,
    type: DATABASE_TYPES[type],
    readonly: true,
  }));
  return [
    ...interfaceUnlessEmpty(
      "Upstreams",
      members(upstreams, "Upstream"),
      "The upstreams that handlers call.",
    ),
    ...interfaceUnlessEmpty(
      "Servers",
      members(servers, "RemoteServer"),
      "The other MCP servers that handlers call.",
    ),
    ...interfaceUnlessEmpty("Databases", databaseMembers, "The databases that handlers query."),
  ];
}

function interfaceUnlessEmpty(
  name: string,
  properties: readonly Property[],
  docs: string,
): Declaration[] {
  return properties.length === 0 ? [] : [interfaceOf(name, properties, docs)];
}

/** The types that the type `Context` intersects. */
function contextMembers(model: ServerModel): string[] {
  const { upstreams = [], servers = [], databases = [] } = model;
  return [
    "HandlerContext<Env, Services>",
    ...(asksAnything(model) ? ["AskingContext"] : []),
    ...authMember(model),
    ...(controls(model).length === 0 ? [] : ["ServerControls"]),
    ...(upstreams.length === 0 ? [] : ["{ readonly upstreams: Upstreams }"]),
    ...(servers.length === 0 ? [] : ["{ readonly servers: Servers }"]),
    ...(databases.length === 0 ? [] : ["{ readonly databases: Databases }"]),
  ];
}

/** The type `Authenticate`, if the server has a network transport. */
function authenticateType(model: ServerModel): Declaration[] {
  if (!hasNetwork(model)) return [];
  const type = verifiesCallers(model)
    ? "AuthenticateWith<Env, Services, ManifestAuth>"
    : "AuthenticateWith<Env, Services>";
  const docs =
    "The type of `authenticate` in `src/context.ts`, which identifies callers over the network.";
  return [typeAlias("Authenticate", type, docs)];
}

function environmentProperty(variable: EnvVariableModel): Property {
  const baseType = variable.type === "url" ? "URL" : variable.type;
  const type =
    variable.enum === undefined
      ? baseType
      : unionOf(variable.enum.map((value) => writeLiteral(value)));
  return {
    name: variable.name,
    type,
    readonly: true,
    optional: (!variable.required || variable.network === true) && variable.default === undefined,
    ...(variable.description !== undefined && { docs: variable.description }),
  };
}

function toolTypes(tools: readonly ToolModel[]): Declaration[] {
  if (tools.length === 0) return [];
  const withOutput = tools.filter((tool) => tool.output !== undefined);
  const inputs = tools.map((tool) => ({ name: tool.name, type: inputTypeName(tool) }));
  const outputs = withOutput.map((tool) => ({ name: tool.name, type: outputTypeName(tool) }));
  return [
    interfaceOf("ToolInputs", inputs, "The arguments of each tool, after defaults were applied."),
    ...(outputs.length > 0
      ? [
          interfaceOf(
            "ToolOutputs",
            outputs,
            "The output of each tool that declares an `outputSchema`.",
          ),
        ]
      : []),
    typeAlias("ToolName", "keyof ToolInputs"),
    typeAlias("ToolInput", "ToolInputs[Name]", undefined, ["Name extends ToolName"]),
    typeAlias(
      "ToolOutput",
      withOutput.length === 0
        ? "ToolContent"
        : conditionalType(
            "Name extends keyof ToolOutputs",
            "ToolOutputs[Name] | ToolResult<ToolOutputs[Name]>",
            "ToolContent",
          ),
      "The result of a tool's handler: its output, or content if the tool has no `outputSchema`.",
      [`${withOutput.length === 0 ? "_" : ""}Name extends ToolName`],
    ),
    typeAlias(
      "ToolHandler",
      functionType(
        ["input: ToolInput<Name>", `ctx: ${contextType(tools)}`],
        "Awaitable<ToolOutput<Name>>",
      ),
      undefined,
      ["Name extends ToolName"],
    ),
  ];
}

function resourceTypes({ resources }: ServerModel): Declaration[] {
  const withCode = resources.filter(hasCode);
  if (withCode.length === 0) return [];
  const uris = withCode.map(({ name, uri }) => ({ name, type: writeString(uri) }));
  return [
    interfaceOf("ResourceUris", uris, "The URI of each resource that has a handler."),
    typeAlias("ResourceName", "keyof ResourceUris"),
    typeAlias(
      "ResourceHandler",
      functionType(
        ["uri: ResourceUris[Name]", `ctx: ${contextType(withCode)}`],
        "Awaitable<ResourceContent>",
      ),
      undefined,
      ["Name extends ResourceName"],
    ),
  ];
}

function resourceTemplateTypes(templates: readonly ResourceTemplateModel[]): Declaration[] {
  if (templates.length === 0) return [];
  const variables = templates.map((template) => ({
    name: template.name,
    type: variablesTypeName(template),
  }));
  return [
    interfaceOf("ResourceTemplateVariables", variables, "The decoded variables of each template."),
    typeAlias("ResourceTemplateName", "keyof ResourceTemplateVariables"),
    typeAlias("TemplateVariables", "ResourceTemplateVariables[Name]", undefined, [
      "Name extends ResourceTemplateName",
    ]),
    typeAlias(
      "ResourceTemplateHandler",
      functionType(
        ["variables: TemplateVariables<Name>", `ctx: ${contextType(templates)}`],
        "Awaitable<ResourceContent>",
      ),
      undefined,
      ["Name extends ResourceTemplateName"],
    ),
  ];
}

function promptTypes(prompts: readonly PromptModel[]): Declaration[] {
  const withCode = prompts.filter(hasCode);
  if (withCode.length === 0) return [];
  const byName = withCode.map((prompt) => ({ name: prompt.name, type: argumentsTypeName(prompt) }));
  return [
    interfaceOf(
      "PromptArgumentsByName",
      byName,
      "The arguments of each prompt that has a handler.",
    ),
    typeAlias("PromptName", "keyof PromptArgumentsByName"),
    typeAlias("PromptArguments", "PromptArgumentsByName[Name]", undefined, [
      "Name extends PromptName",
    ]),
    typeAlias(
      "PromptHandler",
      functionType(
        ["args: PromptArguments<Name>", `ctx: ${contextType(withCode)}`],
        "Awaitable<PromptContent>",
      ),
      undefined,
      ["Name extends PromptName"],
    ),
  ];
}
