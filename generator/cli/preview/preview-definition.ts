import { resolve } from "node:path";
import { appDocument } from "../../../templates/runtime/apps/app-page.js";
import { readAnswers } from "../../../templates/runtime/asking/definition.js";
import { createCompletion } from "../../../templates/runtime/completion/completion.js";
import { createConsent } from "../../../templates/runtime/consent/consent.js";
import type { ServerDefinition } from "../../../templates/runtime/engine/definition.js";
import { OpenDirectory } from "../../../templates/runtime/directories/directory.js";
import type { DirectoryCall } from "../../../templates/runtime/directories/listing.js";
import type { AnyHandler, Validator } from "../../../templates/runtime/engine/item.js";
import { NotImplementedError } from "../../../templates/runtime/engine/errors.js";
import type { FixedBlock } from "../../../templates/runtime/engine/fixed-content.js";
import { createPagedList } from "../../../templates/runtime/engine/paged-item-list.js";
import { createRequestData } from "../../../templates/runtime/http/request-data.js";
import { createPage } from "../../../templates/runtime/page/page.js";
import type { PromptEntry } from "../../../templates/runtime/prompts/definition.js";
import { createPrompts } from "../../../templates/runtime/prompts/prompts.js";
import { withResourceTools } from "../../../templates/runtime/resource-tools/resource-tools.js";
import type {
  ResourceEntry,
  ResourceTemplateEntry,
} from "../../../templates/runtime/resources/definition.js";
import { createResources } from "../../../templates/runtime/resources/resources.js";
import { withSkills } from "../../../templates/runtime/skills/skills.js";
import { withDefaults } from "../../../templates/runtime/tools/defaults.js";
import type { MockAnswer, ToolEntry } from "../../../templates/runtime/tools/definition.js";
import { exactNumbers } from "../../../templates/runtime/tools/exact-numbers.js";
import { renderFixed } from "../../../templates/runtime/tools/fixed.js";
import { needsConsent } from "../../5-emit/modules/asking.js";
import { schemaMock } from "../../5-emit/contract-tests/schema-instances.js";
import { otherExamples, fallbackExample } from "../../5-emit/contract-tests/tool-contracts.js";
import { readBuiltPage } from "../../model/built-page.js";
import { isBody, offeredValues } from "../../bodies/index.js";
import { addedAccountTools } from "../../model/linked-accounts.js";
import type { JsonSchema, JsonValue } from "../../model/json.js";
import type {
  FixedContentBlock,
  ItemModel,
  PromptModel,
  ResourceModel,
  ResourceTemplateModel,
  ServerModel,
  ToolExample,
  ToolModel,
} from "../../model/server-model.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import { interpret } from "../../schema/interpret.js";
import { reportedFindings } from "../../schema/reported-findings.js";

/**
 * The definition of a manifest's server, made in memory. It is the server of a new project, in which no handler is
 * written: each item answers with its mock. Callers need not authenticate, and no handler asks the client anything;
 * whether a tool may run is asked. Skills are there as they are in the project.
 *
 * @param root the absolute path of the folder with the manifest
 */
export function previewDefinition(
  model: ServerModel,
  root: string,
): Omit<ServerDefinition, "transports" | "loadPage"> {
  const { name, title, version = "0.0.0", description, websiteUrl, icons } = model;
  const texts = { title, description, websiteUrl, icons };
  const info = { name, version, ...withoutAbsent(texts) } as ServerDefinition["info"];
  return {
    ...{ createResources, createPrompts, createCompletion },
    ...{ createPagedList, createPage, createRequestData },
    ...{ withDefaults, exactNumbers, renderFixed },
    ...(model.skills !== undefined && {
      ...{ createResources: withSkills(createResources), skillFolders: model.skills },
    }),
    ...(needsConsent(model) && CONSENT),
    ...(model.resourceTools === true && { createSearchedTools: withResourceTools() }),
    info,
    ...(model.instructions !== undefined && { instructions: model.instructions }),
    protocol: { legacy: "serve" },
    env: [],
    tools: [...model.tools.map((tool) => toolEntry(tool, model)), ...accountEntries(model)],
    resources: model.resources.map(resourceEntry),
    resourceTemplates: model.resourceTemplates.map((template) =>
      templateEntry(template, model, root),
    ),
    prompts: model.prompts.map(promptEntry),
  };
}

/** What asks users whether a tool may run. */
const CONSENT: Partial<ServerDefinition> = {
  createHandlerRunner: (_definition, options) => createConsent(undefined, options),
  serves: ["confirm"],
  extendCaller: readAnswers,
};

/** What clients get of an item. The model has it as JSON, and the compiler checks it in generated code only. */
function definitionOf<Definition>(wire: object): Definition {
  return wire as Definition;
}

/** The groups of an item, and what is announced of its end. */
function announced({ groups, deprecated }: ItemModel): Pick<ToolEntry, "groups" | "deprecated"> {
  return {
    ...(groups !== undefined && { groups }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

function toolEntry(tool: ToolModel, model: ServerModel): ToolEntry {
  const { wire, aliases, input, output, behaviour, confirm } = tool;
  const defaults = collectDefaults(input.wire);
  const validators = {
    input: validatorOf(input.wire),
    ...(output !== undefined && { output: validatorOf(output.wire) }),
  };
  const entry = {
    definition: definitionOf<ToolEntry["definition"]>(wire),
    ...announced(tool),
    ...(aliases !== undefined && { aliases }),
    ...(defaults !== undefined && { defaults }),
    validators: () => validators,
  };
  if (behaviour.kind !== "fixed") {
    const mocks = otherExamples(tool).map(({ example, received }) => ({
      arguments: received,
      answer: exampleAnswer(example),
    }));
    return {
      ...entry,
      ...{ handler: stubHandler(tool), mock: mockAnswer(tool, model), mocks },
      ...(confirm !== undefined && { confirm: confirm.message }),
    };
  }
  const { content, structuredContent, isError } = behaviour;
  const answer = {
    content: content.map(fixedBlock),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError && { isError }),
  };
  return { ...entry, answer } as ToolEntry;
}

/** The tools that the server adds for accounts of its callers. They are listed for callers of every group. */
function accountEntries(model: ServerModel): ToolEntry[] {
  const groups = [...new Set(model.tools.flatMap((tool) => tool.groups ?? []))];
  const text = { type: "text", text: ["No accounts are linked in a preview."] } as const;
  return addedAccountTools(model).map((definition) => {
    const validators = { input: validatorOf(definition.inputSchema as JsonSchema) };
    const answer = { content: [text], isError: true };
    return { definition, groups, validators: () => validators, answer };
  });
}

/** The answer of the usual example. Without an example, a value made from the output schema, or else a text. */
function mockAnswer(tool: ToolModel, model: ServerModel): MockAnswer {
  const usual = fallbackExample(tool);
  if (usual !== undefined) return exampleAnswer(usual);
  const value = tool.output && schemaMock(model, tool.output.wire);
  return value === undefined
    ? { kind: "text", text: `A mock answer of ${tool.name}.` }
    : { kind: "value", value };
}

/** What a mock answers to the call of an example. */
export function exampleAnswer({ expect }: ToolExample): MockAnswer {
  return expect.kind === "result" ? { kind: "value", value: expect.result } : expect;
}

function resourceEntry(resource: ResourceModel): ResourceEntry {
  const { wire, behaviour } = resource;
  const entry = {
    definition: definitionOf<ResourceEntry["definition"]>(wire),
    ...announced(resource),
  };
  switch (behaviour.kind) {
    case "text":
      return { ...entry, text: behaviour.text };
    case "blob":
      return { ...entry, blob: behaviour.blob };
    case "file":
      return { ...entry, file: behaviour.path };
    case "app":
      return {
        ...entry,
        handler: async () => () => appDocument(readBuiltPage().result, behaviour.view),
      };
    default:
      return { ...entry, ...stubWithMock(resource) };
  }
}

function templateEntry(
  template: ResourceTemplateModel,
  { skills = [] }: ServerModel,
  root: string,
): ResourceTemplateEntry {
  const skillFolder = skills.find((folder) => folder.template === template.name);
  return {
    definition: definitionOf(template.wire),
    ...announced(template),
    parts: template.parts,
    ...(template.raw === true && { raw: true }),
    ...(skillFolder === undefined
      ? stubWithMock(template)
      : { handler: () => fileReader(resolve(root, skillFolder.root)) }),
    ...completions(template.variables),
  };
}

function promptEntry(prompt: PromptModel): PromptEntry {
  const { wire, behaviour } = prompt;
  const definition = definitionOf<PromptEntry["definition"]>(wire);
  const entry = { definition, ...announced(prompt), ...completions(prompt.arguments) };
  if (behaviour.kind !== "messages") return { ...entry, ...stubWithMock(prompt) };
  const messages = behaviour.messages.map(({ role, content }) => ({
    role,
    content: fixedBlock(content),
  }));
  return { ...entry, messages };
}

/** A handler that reads the files in a folder by the variable `path`. */
function fileReader(folder: string): AnyHandler<unknown> {
  return (input, call) =>
    new OpenDirectory(folder, call as DirectoryCall).read((input as { path: string }).path);
}

/** The completion values that the manifest lists. Values that code or another service finds are not available. */
function completions(
  parameters: PromptModel["arguments"] | ResourceTemplateModel["variables"],
): Pick<PromptEntry, "complete"> {
  const offered = parameters.flatMap(({ name, complete }) => {
    const values = complete === undefined ? undefined : offeredValues(complete);
    return values === undefined ? [] : [[name, values] as const];
  });
  return offered.length === 0 ? {} : { complete: Object.fromEntries(offered) };
}

/** The stub of a resource, template or prompt. As in a project, only items with a body have a mock. */
function stubWithMock(
  item: ResourceModel | ResourceTemplateModel | PromptModel,
): Pick<ResourceTemplateEntry, "handler" | "mock"> {
  const mock = isBody(item.behaviour) ? { mock: `A mock answer of ${item.name}.` } : {};
  return { handler: stubHandler(item), ...mock };
}

/** A handler that always fails. Mocks replace it. */
function stubHandler({ name }: ItemModel): () => () => never {
  return () => () => {
    throw new NotImplementedError(name);
  };
}

function fixedBlock(block: FixedContentBlock): FixedBlock {
  return (
    block.kind === "verbatim" ? block.block : { type: "text", text: block.text, ...block.rest }
  ) as FixedBlock;
}

/** A validator with the same results and messages as the compiled validators of a project. */
function validatorOf(schema: JsonSchema): Validator {
  const validate: Validator = (value) => {
    const findings = reportedFindings(interpret(value as JsonValue, schema));
    validate.errors = findings.length === 0 ? null : findings;
    return findings.length === 0;
  };
  return validate;
}

function withoutAbsent(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
