import type { AppView } from "../../../templates/runtime/apps/app-view.js";
import { taskDefaults, type TaskSettings } from "../../../templates/runtime/tasks/definition.js";
import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import type {
  AsksModel,
  CompletionModel,
  ItemModel,
  PromptModel,
  ResourceModel,
  ResourceTemplateModel,
  SchemaModel,
  ServerModel,
  ToolExample,
  ToolModel,
} from "../../model/server-model.js";
import type { ListCost } from "../../model/list-cost.js";
import { skillUriTemplate } from "../../model/skills.js";
import { withThousands } from "../../text/thousands.js";
import { isSource, offeredValues } from "../../bodies/index.js";
import { hasBody } from "../bodies/body-items.js";
import { kindOfBody } from "../bodies/body-kinds.js";
import { hasStdio, isStateless } from "../model-facts.js";
import { accessView } from "./access-view.js";
import { clientEntries, signsIn, tokenVariable } from "./client-entries.js";
import { deploymentsView } from "./deployment-view.js";
import { serverVariables, variableView } from "./env-example.js";
import { jsonText } from "./json-text.js";
import { proxyView } from "./proxy-view.js";
import { limitsInWords } from "./limits-in-words.js";
import { operatingVariables } from "./operating-variables.js";
import {
  auditView,
  cardView,
  installView,
  restrictView,
  scaleView,
  workersView,
  writtenFiles,
} from "./operating-views.js";
import {
  argumentRows,
  fieldRows,
  furtherRules,
  hasNamePatterns,
  localDefinitions,
  localDescriptions,
  referenceDescriptions,
  isClosedObject,
  typeInWords,
  type FieldRow,
  type ReferenceDescriptions,
} from "./schema-in-words.js";

/**
 * The values for the template of SERVER.md. Absent values are null, since the template engine is strict.
 * @param cost what the lists cost a model, if the document says it
 */
export function serverDocumentView(model: ServerModel, cost?: ListCost): object {
  const tokensOf = tokensOfItems(cost);
  const shared = model.sharedSchemas.map(({ name, schema }) => [name, schema] as const);
  const described = new Map(referenceDescriptions("schemas", shared));
  const viewOf = onceForEach(({ authored }: SchemaModel) => schemaView(authored, described));
  const inputOf = onceForEach(({ authored }: SchemaModel) => inputView(authored, described));
  return {
    title: model.title ?? model.name,
    name: model.name,
    version: model.version ?? null,
    description: model.description ?? null,
    website: model.websiteUrl ?? null,
    listTokens: cost === undefined ? null : withThousands(cost.tokens),
    instructions: model.instructions ?? null,
    search: model.exposure ?? null,
    resourceTools: model.resourceTools === true,
    skills: (model.skills ?? []).map(({ template, root }) => ({
      root,
      uri: skillUriTemplate(template),
    })),
    tools: model.tools.map((tool) => ({ ...toolView(tool, inputOf, viewOf), ...tokensOf(tool) })),
    resources: model.resources.map((item) => ({ ...resourceView(item), ...tokensOf(item) })),
    resourceTemplates: model.resourceTemplates.map((item) => ({
      ...resourceTemplateView(item),
      ...tokensOf(item),
    })),
    prompts: model.prompts.map((item) => ({ ...promptView(item), ...tokensOf(item) })),
    types: shared.map((entry) => namedSchemaView(entry, described)),
    env: serverVariables(model).map(variableView),
    operating: operatingVariables(model),
    written: writtenFiles(model),
    card: cardView(model),
    extensions: Object.keys(model.extensions ?? {}),
    limits: limitsInWords(model),
    stdio: hasStdio(model),
    clients: clientEntries(model),
    install: installView(model),
    access: accessView(model),
    restrict: restrictView(model),
    audit: auditView(model),
    scale: scaleView(model),
    isStateless: isStateless(model),
    workers: workersView(model),
    deployments: deploymentsView(model),
    proxy: proxyView(model),
    token: tokenVariable(model) ?? null,
    signsIn: signsIn(model),
  };
}

/** What each item takes of the lists; null if the document does not say it, or the item is in no list. */
function tokensOfItems(cost: ListCost | undefined): (item: ItemModel) => { tokens: string | null } {
  const keyOf = ({ kind, name }: Pick<ItemModel, "kind" | "name">): string => `${kind} ${name}`;
  const tokens = new Map(cost?.items.map((item) => [keyOf(item), withThousands(item.tokens)]));
  return (item) => ({ tokens: tokens.get(keyOf(item)) ?? null });
}

/** The values that items of every kind have. */
function itemView(item: ItemModel) {
  const { name, wire, asks, behaviour } = item;
  return {
    name,
    title: textOf(wire, "title"),
    description: textOf(wire, "description"),
    serving: servingInWords(item),
    scopes: item.scopes ?? [],
    groups: item.groups ?? [],
    asks: asks === undefined || behaviour.kind !== "handler" ? null : asksView(asks),
    body: hasBody(item) ? kindOfBody(item.behaviour).sentence(item.behaviour) : null,
  };
}

/** The questions and requests that an item may send to its client. */
function asksView({ elicitations, sampling, roots }: AsksModel): object {
  return {
    questions: elicitations.map((question) => ({
      key: question.key,
      text: question.text,
      isPage: question.kind === "url",
      rows: question.kind === "form" ? fieldRows(question.schema) : [],
    })),
    others: [
      ...(sampling ? ["May ask the client's model (sampling)."] : []),
      ...(roots ? ["May ask which folders the client works in (roots)."] : []),
    ],
  };
}

/** How an item is served, as sentences for callers. */
function servingInWords(item: ItemModel): string[] {
  const { enabled, timeoutMs } = item;
  return [
    ...(enabled === false
      ? ["Not there from the start: the server adds it when it can be used."]
      : []),
    ...(enabled === true ? ["The server may take it away while it runs, and bring it back."] : []),
    ...(item.kind === "resourceTemplate" && item.list !== undefined
      ? ["The list of resources has its instances."]
      : []),
    ...(item.kind === "tool" && isJsonObject(item.wire["_meta"]) && "ui" in item.wire["_meta"]
      ? ["Clients that show MCP Apps show an app for it."]
      : []),
    ...(item.kind === "resource" ? appInWords(item) : []),
    ...(item.behaviour.kind === "app" ? [madePageInWords(item.behaviour.view)] : []),
    ...(item.kind === "resourceTemplate" && item.raw
      ? ["Values of its path come as they are: with colons and backslashes too."]
      : []),
    ...("subscribe" in item && item.subscribe ? ["Clients can subscribe to its changes."] : []),
    ...(timeoutMs === undefined ? [] : [tooLong(withThousands(timeoutMs))]),
  ];
}

/** What the page of an MCP App asks of the clients that show it. */
function appInWords({ wire: { _meta: meta } }: ResourceModel): string[] {
  const ui = isJsonObject(meta) ? meta["ui"] : undefined;
  if (!isJsonObject(ui)) return [];
  const { csp, permissions } = ui;
  const origins = isJsonObject(csp) ? [...new Set(Object.values(csp).flat().map(String))] : [];
  const uses = isJsonObject(permissions) ? Object.keys(permissions) : [];
  return [
    ...(origins.length === 0 ? [] : [`Its page needs to reach ${inCode(origins)}.`]),
    ...(uses.length === 0 ? [] : [`Its page asks to use ${inCode(uses)}.`]),
  ];
}

/** What a page shows that is made from an output schema. */
function madePageInWords({ members, form }: AppView): string {
  const shows = members.map(({ name, chart, columns }) => {
    const shape = chart !== undefined ? " as a chart and a table" : columns ? " as a table" : "";
    return `\`${name}\`${shape}`;
  });
  const again = form === undefined ? "" : ", and may call the tool again with other arguments";
  return `The page shows ${shows.length > 0 ? shows.join(", ") : "all members of the result"}${again}.`;
}

const inCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const tooLong = (milliseconds: string): string =>
  `A call that takes longer than ${milliseconds} ms fails.`;

function textOf(wire: JsonObject, key: string): string | null {
  const value = wire[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The completions of an argument or a variable. */
function suggestionsView(complete: CompletionModel | undefined): object {
  return {
    suggestions: offeredValues(complete) ?? [],
    isSuggested: complete === "code",
    suggestedBy: isSource(complete) ? kindOfBody(complete).answerer(complete) : null,
  };
}

function toolView(
  tool: ToolModel,
  inputOf: (schema: SchemaModel) => InputView,
  viewOf: (schema: SchemaModel) => SchemaView,
): object {
  return {
    ...itemView(tool),
    aliases: tool.aliases ?? [],
    confirm: tool.confirm?.text ?? null,
    task: tool.task === undefined ? null : taskInWords(tool.task),
    hints: hintsInWords(tool.wire["annotations"]),
    isFixed: tool.behaviour.kind === "fixed",
    input: inputOf(tool.input),
    output: tool.output === undefined ? null : viewOf(tool.output),
    examples: tool.examples.map(exampleView),
  };
}

/** What clients that know tasks can expect of a tool, as sentences. */
function taskInWords({ required = false, asks = "during", ...settings }: TaskSettings): string[] {
  const { ttlMs, pollIntervalMs } = { ...taskDefaults, ...settings };
  return [
    `Runs as a task for clients of 2026-07-28 that know the extension \`io.modelcontextprotocol/tasks\`; ${
      required ? "all others are refused." : "all others wait for the result."
    }`,
    `A task is kept for ${withThousands(ttlMs)} ms; clients should ask for its state every ${withThousands(pollIntervalMs)} ms.`,
    ...(asks === "before" ? ["Users are asked before the task begins."] : []),
  ];
}

/** The annotations of a tool, as sentences. */
function hintsInWords(annotations: unknown): string[] {
  if (!isJsonObject(annotations)) return [];
  const sentences: Readonly<Record<string, readonly [string, string]>> = {
    readOnlyHint: ["Only reads.", "May change things."],
    destructiveHint: ["May overwrite or delete.", "Only adds: it overwrites and deletes nothing."],
    idempotentHint: [
      "Calling it again with the same arguments changes nothing more.",
      "Each call has its own effect.",
    ],
    openWorldHint: [
      "Reaches out to systems beyond this server.",
      "Stays within what this server holds.",
    ],
  };
  return Object.entries(sentences).flatMap(([hint, [yes, no]]) => {
    const value = annotations[hint];
    return typeof value === "boolean" ? [value ? yes : no] : [];
  });
}

interface SchemaView {
  readonly rows: readonly FieldRow[];
  /** The schema in words, if it has no fields to show. */
  readonly words: string | null;
  readonly isClosed: boolean;
  readonly rules: JsonObject | null;
  readonly definitions: readonly (SchemaView & { readonly name: string })[];
}

interface InputView extends SchemaView {
  /** True if clients repeat some argument in a header. */
  readonly hasHeaders: boolean;
}

function inputView(schema: JsonSchema, outside: ReferenceDescriptions): InputView {
  const view = schemaView(schema, outside, argumentRows);
  return { ...view, hasHeaders: view.rows.some(({ header }) => header !== undefined) };
}

/** @param outside descriptions for references that lead out of the schema */
function schemaView(
  schema: JsonSchema,
  outside: ReferenceDescriptions,
  rowsOf = fieldRows,
): SchemaView {
  const local = localDescriptions(schema);
  const described = local.length === 0 ? outside : new Map([...outside, ...local]);
  const rows = rowsOf(schema, described);
  const isClosed = isClosedObject(schema);
  const isEmpty = isClosed && isJsonObject(schema) && schema["type"] === "object";
  const hasRules = rows.length > 0 || hasNamePatterns(schema);
  return {
    rows,
    words: rows.length > 0 || isEmpty ? null : typeInWords(schema),
    isClosed: isClosed && rows.length > 0,
    rules: (hasRules ? furtherRules(schema) : undefined) ?? null,
    definitions: localDefinitions(schema).map((entry) => namedSchemaView(entry, described)),
  };
}

function namedSchemaView(
  [name, schema]: readonly [string, JsonSchema],
  described: ReferenceDescriptions,
) {
  const description = isJsonObject(schema) ? textOf(schema, "description") : null;
  return { ...schemaView(schema, described), name, description };
}

/** Most arguments of a call that stands in a sentence. No text decides, so that texts change only themselves. */
const SENTENCE_ARGUMENTS = 2;

function exampleView({ name, arguments: values, expect }: ToolExample): object {
  const given = Object.values(values);
  const isShort =
    given.length <= SENTENCE_ARGUMENTS && given.every((value) => typeof value !== "object");
  return {
    name,
    arguments: values,
    call: expect.kind !== "result" && isShort ? jsonText(values, Infinity) : null,
    result: expect.kind === "result" ? { value: expect.result } : null,
    text: expect.kind === "text" ? expect.text : null,
    error: expect.kind === "error" ? expect.error : null,
  };
}

function resourceView(resource: ResourceModel): object {
  return { ...itemView(resource), uri: resource.uri, mimeType: resource.mimeType ?? null };
}

function resourceTemplateView(template: ResourceTemplateModel): object {
  return {
    ...itemView(template),
    uriTemplate: template.uriTemplate,
    mimeType: template.mimeType ?? null,
    variables: template.variables.map(({ name, required, list, complete }) => ({
      name,
      words: list ? "any number of path segments" : required ? "required" : "optional",
      ...suggestionsView(complete),
    })),
  };
}

function promptView(prompt: PromptModel): object {
  return {
    ...itemView(prompt),
    arguments: prompt.arguments.map(({ name, required, description, complete }) => ({
      name,
      required,
      description: description ?? "",
      ...suggestionsView(complete),
    })),
  };
}
