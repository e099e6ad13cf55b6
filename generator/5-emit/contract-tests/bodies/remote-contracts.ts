import { expandUri } from "../../../../templates/runtime/resources/instances.js";
import type {
  RemoteCase,
  RemoteContract,
} from "../../../../templates/runtime/suite/items/remote-servers.js";
import type {
  McpBodyModel,
  McpCallModel,
  McpReadModel,
  SelectModel,
} from "../../../model/bodies.js";
import { isJsonObject, type JsonObject } from "../../../model/json.js";
import type { PromptModel, ServerModel, ToolModel } from "../../../model/server-model.js";
import { parseUriTemplate } from "../../../text/uri-template.js";
import { bodyItems, type BodyItem, type ReadItem } from "../../bodies/body-items.js";
import { expectedValue } from "./expected-value.js";
import { argumentValues } from "../prompt-contracts.js";
import { schemaMock, validArguments } from "../schema-instances.js";
import { itemSettings } from "../server-contract.js";
import { exampleContract, receivedArguments } from "../tool-contracts.js";
import { readsOf } from "./http-cases.js";
import { selectedAnswer } from "./selected-answers.js";
import { unfitAnswers } from "./unfit-answers.js";

/** An item that passes its calls on to another MCP server. */
export type RemoteItem = BodyItem & { readonly behaviour: McpBodyModel };

/** The items of a server that pass their calls on to other MCP servers. */
export function remoteItems(model: ServerModel): readonly RemoteItem[] {
  return bodyItems(model).filter((item): item is RemoteItem => item.behaviour.kind === "mcp");
}

/** The contract of an item that passes its calls on to another MCP server. */
export function remoteContract(item: RemoteItem, model: ServerModel): RemoteContract {
  const successes = successCases(item, model);
  const [first] = successes;
  return {
    kind: item.kind === "tool" ? "tools" : item.kind === "prompt" ? "prompts" : "resources",
    name: item.name,
    ...itemSettings(item),
    cases: first === undefined ? [] : [...successes, ...unfitCases(item, first, model)],
  };
}

function successCases(item: RemoteItem, model: ServerModel): RemoteCase[] {
  const { behaviour } = item;
  if (behaviour.asks === "resource") {
    return item.kind === "resource" || item.kind === "resourceTemplate"
      ? readCases(item, behaviour, model)
      : [];
  }
  if (item.kind === "tool") return toolCases(item, behaviour, model);
  return item.kind === "prompt" ? promptCases(item, behaviour) : [];
}

/** The examples of a tool, with their results as answers of the other server; without examples, a generated call. */
function toolCases(tool: ToolModel, body: McpCallModel, model: ServerModel): RemoteCase[] {
  if (body.select !== undefined) return selectingCases(tool, body, body.select, model);
  const fromExamples = tool.examples.map((example): RemoteCase => {
    const { answer } = exampleContract(tool, example);
    const result = { content: [], ...answer };
    return toolCase(tool, body, example.name, example.arguments, result, answer);
  });
  if (fromExamples.length > 0) return fromExamples;
  const values = validArguments(model, tool);
  const mock = tool.output === undefined ? undefined : schemaMock(model, tool.output.wire);
  if (values === undefined || (tool.output !== undefined && mock === undefined)) return [];
  const content = [{ type: "text", text: "ok" }];
  const result = { content, ...(mock !== undefined && { structuredContent: mock }) };
  return [toolCase(tool, body, "a call made from the schema", values, result, result)];
}

/** A generated call of a tool that selects from the other server's result. An example does not have that. */
function selectingCases(
  tool: ToolModel,
  body: McpCallModel,
  select: SelectModel,
  model: ServerModel,
): RemoteCase[] {
  const values = validArguments(model, tool);
  const selected = selectedAnswer(tool, select, model);
  if (values === undefined || selected === undefined) return [];
  const answer = { content: [], structuredContent: selected.answer };
  const result = { structuredContent: selected.result };
  return [toolCase(tool, body, "a call made from the schema", values, answer, result)];
}

function toolCase(
  tool: ToolModel,
  body: McpCallModel,
  name: string,
  values: JsonObject,
  answer: JsonObject,
  result: JsonObject,
): RemoteCase {
  const received = receivedArguments(tool, values);
  return {
    name,
    parameters: { name: tool.name, arguments: values },
    answer: { result: answer },
    request: { server: body.server, method: "tools/call", params: expectedParams(body, received) },
    result,
  };
}

/** The case of a result that breaks the output schema. */
function unfitCases(
  item: RemoteItem,
  { parameters }: RemoteCase,
  model: ServerModel,
): RemoteCase[] {
  if (item.kind !== "tool" || item.behaviour.asks !== "tool") return [];
  if (item.behaviour.select !== undefined) return [];
  return unfitAnswers(item, item.behaviour, model, isJsonObject).map(({ answer, ...outcome }) => ({
    ...outcome,
    parameters,
    answer: { result: { content: [], structuredContent: answer as JsonObject } },
  }));
}

function promptCases(prompt: PromptModel, body: McpCallModel): RemoteCase[] {
  const values = argumentValues(prompt.arguments);
  const messages = [{ role: "user", content: { type: "text", text: "ok" } }];
  return [
    {
      name: "a prompt with all arguments",
      parameters: { name: prompt.name, arguments: values },
      answer: { result: { messages } },
      request: { server: body.server, method: "prompts/get", params: expectedParams(body, values) },
      result: { messages },
    },
  ];
}

/** A read of each URI that only this resource or template matches. */
function readCases(item: ReadItem, body: McpReadModel, model: ServerModel): RemoteCase[] {
  const parsed = body.isTemplate ? parseUriTemplate(body.uri) : undefined;
  return readsOf(item, model).map(({ uri, variables }) => {
    const remoteUri = parsed?.ok === true ? expandUri(parsed.parts, variables as never) : body.uri;
    const contents = { mimeType: "text/plain", text: "ok" };
    return {
      name: `a read of ${uri}`,
      parameters: { uri },
      answer: { result: { contents: [{ uri: remoteUri, ...contents }] } },
      request: { server: body.server, method: "resources/read", params: { uri: remoteUri } },
      result: { contents: [{ uri, ...contents }] },
    };
  });
}

/** The parameters that the other server gets. Computed from the model, so that they check the generated code. */
function expectedParams({ name, arguments: mapped }: McpCallModel, values: JsonObject): JsonObject {
  return { name, arguments: mapped === undefined ? values : (expectedValue(mapped, values) ?? {}) };
}
