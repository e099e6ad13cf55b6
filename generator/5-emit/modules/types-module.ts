import type { FileStatement } from "../typescript-printer.js";
import type {
  EnvVariableModel,
  PromptModel,
  ResourceTemplateModel,
  ServerModel,
  ToolModel,
} from "../../model/server-model.js";
import {
  argumentsTypeName,
  inputTypeName,
  outputTypeName,
  variablesTypeName,
} from "../../model/type-names.js";
import { conditionalType, functionType, unionOf } from "../../text/code.js";
import { writeLiteral, writeString } from "../../text/literal.js";
import type { FileStatements } from "../typescript-printer.js";
import { emitTypes, type TypeRequest } from "../types/emit-types.js";
import { declarationOf } from "../types/type-declaration.js";
import { isLink, namesIn as namesInLink } from "../typescript-printer.js";
import { answerTypes, askingImports, contextType, contextTypes } from "./asking.js";
import { codeTypeImports, codeTypes } from "./completion-types.js";
import { hasNetwork } from "./authentication.js";
import { controlImports, controls, controlTypes } from "./controls.js";
import { handled } from "./handler-files.js";
import { importTypes, interfaceOf, typeAlias, type Property } from "./structures.js";

/** `src/generated/types.ts`: the types of every item, and those of the handlers that serve them. */
export function typesModule(model: ServerModel): FileStatements {
  const own = [
    ...imports(model),
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
  const requests = [...typeRequests(model.tools), ...answerTypes(model)];
  const declarations = emitTypes(requests, model.sharedSchemas, namesIn(own));
  return [...own, ...declarations.map(declarationOf)];
}

/** Names that a type made from a schema must not take. */
function namesIn(statements: FileStatements): string[] {
  return statements.flatMap((statement) => {
    if (isLink(statement)) return namesInLink(statement);
    return typeof statement === "object" && "name" in statement ? [statement.name ?? ""] : [];
  });
}

function typeRequests(tools: readonly ToolModel[]): TypeRequest[] {
  return tools.flatMap((tool): TypeRequest[] => [
    { typeName: inputTypeName(tool), schema: tool.input.authored, mode: "arguments" },
    ...(tool.output === undefined
      ? []
      : [{ typeName: outputTypeName(tool), schema: tool.output.authored, mode: "value" } as const]),
  ]);
}

function imports(model: ServerModel): FileStatement[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  const readsResources = handled(resources).length + resourceTemplates.length > 0;
  const hasOutputs = tools.some((tool) => tool.output !== undefined);
  return [
    importTypes("../context.js", ["createServices"]),
    ...(hasNetwork(model)
      ? [
          importTypes("./runtime/authentication/authenticate.js", [
            "Authenticate as AuthenticateWith",
          ]),
        ]
      : []),
    ...askingImports(model),
    importTypes("./runtime/context/context.js", ["HandlerContext"]),
    ...(tools.length > 0 ? [importTypes("./runtime/tools/definition.js", ["ToolContent"])] : []),
    ...(handled(prompts).length > 0
      ? [importTypes("./runtime/prompts/prompts.js", ["PromptContent"])]
      : []),
    ...(readsResources ? [importTypes("./runtime/resources/content.js", ["ResourceContent"])] : []),
    ...(hasOutputs ? [importTypes("./runtime/tools/result.js", ["ToolResult"])] : []),
    ...controlImports(model),
    ...codeTypeImports(model),
  ];
}

function commonTypes(model: ServerModel): FileStatement[] {
  const { env } = model;
  const context = "HandlerContext<Env, Services>";
  return [
    interfaceOf(
      "Env",
      env.map(environmentProperty),
      "The environment variables that the manifest declares, as handlers see them.",
    ),
    typeAlias(
      "Services",
      "Awaited<ReturnType<typeof createServices>>",
      "What `createServices` in `src/context.ts` returns.",
    ),
    controlTypes(model),
    typeAlias(
      "Context",
      controls(model).length === 0 ? context : `${context} & ServerControls`,
      "The second argument of every handler.",
    ),
    ...(hasNetwork(model)
      ? [
          typeAlias(
            "Authenticate",
            "AuthenticateWith<Env, Services>",
            "`authenticate` of `src/context.ts`: finds out who sends a request over the network.",
          ),
        ]
      : []),
    typeAlias("Awaitable", "Value | Promise<Value>", undefined, ["Value"]),
  ];
}

function environmentProperty(variable: EnvVariableModel): Property {
  const plainType = variable.type === "url" ? "URL" : variable.type;
  const type =
    variable.enum === undefined
      ? plainType
      : unionOf(variable.enum.map((one) => writeLiteral(one)));
  return {
    name: variable.name,
    type,
    readonly: true,
    optional: !variable.required && variable.default === undefined,
    ...(variable.description !== undefined && { docs: variable.description }),
  };
}

function toolTypes(tools: readonly ToolModel[]): FileStatement[] {
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
      "What a tool's handler returns: its output, or content where it has no `outputSchema`.",
      ["Name extends ToolName"],
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

function resourceTypes({ resources }: ServerModel): FileStatement[] {
  const own = handled(resources);
  if (own.length === 0) return [];
  const uris = own.map(({ name, uri }) => ({ name, type: writeString(uri) }));
  return [
    interfaceOf("ResourceUris", uris, "The URI of each resource that has a handler."),
    typeAlias("ResourceName", "keyof ResourceUris"),
    typeAlias(
      "ResourceHandler",
      functionType(
        ["uri: ResourceUris[Name]", `ctx: ${contextType(own)}`],
        "Awaitable<ResourceContent>",
      ),
      undefined,
      ["Name extends ResourceName"],
    ),
  ];
}

function resourceTemplateTypes(templates: readonly ResourceTemplateModel[]): FileStatement[] {
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
    ...templates.map((template) =>
      interfaceOf(variablesTypeName(template), template.variables.map(variableProperty)),
    ),
  ];
}

function variableProperty({
  name,
  list,
  required,
}: ResourceTemplateModel["variables"][number]): Property {
  return { name, type: list ? "string[]" : "string", optional: !required };
}

function promptTypes(prompts: readonly PromptModel[]): FileStatement[] {
  const own = handled(prompts);
  if (own.length === 0) return [];
  const byName = own.map((prompt) => ({ name: prompt.name, type: argumentsTypeName(prompt) }));
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
        ["args: PromptArguments<Name>", `ctx: ${contextType(own)}`],
        "Awaitable<PromptContent>",
      ),
      undefined,
      ["Name extends PromptName"],
    ),
    ...own.map((prompt) =>
      interfaceOf(
        argumentsTypeName(prompt),
        prompt.arguments.map((argument) => ({
          name: argument.name,
          type: "string",
          optional: !argument.required,
          ...(argument.description !== undefined && { docs: argument.description }),
        })),
      ),
    ),
  ];
}
