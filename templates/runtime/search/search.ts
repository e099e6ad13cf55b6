import type { CallToolResult, Result, Tool } from "@modelcontextprotocol/server";
import { mayUse } from "../authentication/may-use.js";
import type { Caller } from "../context/context.js";
import { recover, type Awaitable } from "../engine/awaitable.js";
import type { Item } from "../engine/item.js";
import { InvalidResultError } from "../engine/errors.js";
import { createItemList, listMethod, type ListEntry } from "../engine/item-list.js";
import type { Method } from "../engine/feature.js";
import type { CreateFeature, ServerDefinition } from "../engine/definition.js";
import {
  printableExcerpt,
  objectParameter,
  textMember,
  type RequestParameters,
} from "../engine/request-parameters.js";
import type { Runtime } from "../engine/runtime.js";
import type { ToolEntry } from "../tools/definition.js";
import { result, failedCall } from "../tools/result.js";
import { toCallToolResult } from "../tools/tool-result.js";
import { createTools } from "../tools/tools.js";
import { readCall, readSearch } from "./arguments.js";
import { gatewayTools, type GatewayTool } from "./gateway-tools.js";
import { ToolIndex } from "./tool-index.js";

/**
 * Answers calls of the three tools that find and call all others. A call through them works like a direct
 * call: scopes, limits, defaults and questions are those of the called tool, and log and metrics name it.
 */
class ToolGateway {
  readonly #call: Method;
  readonly #tools: readonly ToolEntry[];
  readonly #limits: Runtime["limits"];
  #index: ToolIndex | undefined;

  /** @param call The method that calls tools by their own names. */
  constructor(call: Method, tools: readonly ToolEntry[], { limits }: Runtime) {
    this.#call = call;
    this.#tools = tools;
    this.#limits = limits;
  }

  /** Makes the index in advance, so that no search has to wait for it. */
  prepare(): void {
    this.#indexed();
  }

  /** Answers `tools/call`. @throws ProtocolError in the same cases as a direct call of the tool */
  answer(parameters: RequestParameters, caller: Caller): Awaitable<Result> {
    const gateway = gatewayOf(parameters);
    if (gateway === undefined) return this.#call.answer(parameters, caller);
    const input = objectParameter(parameters, "arguments");
    return gateway === "search_tools"
      ? this.#search(input, caller)
      : this.#forward(gateway, input, parameters, caller);
  }

  /** The tool that a call runs, directly or through a gateway tool. Without such a tool, the gateway itself. */
  itemOf(parameters: RequestParameters, caller?: Partial<Caller>): Item | undefined {
    const gateway = gatewayOf(parameters);
    if (gateway === undefined) return this.#call.itemOf?.(parameters, caller);
    const { arguments: input } = parameters;
    const named =
      gateway === "search_tools" ? undefined : this.#tool(textMember(input, "name"), caller);
    return named ?? { definition: { name: gateway } };
  }

  #search(input: RequestParameters, caller: Caller): Awaitable<CallToolResult> {
    const search = readSearch(input);
    if ("problem" in search) return refusal("search_tools", search.problem);
    const { query, limit } = search;
    const usable = (name: string): ToolEntry | undefined => {
      const tool = this.#tool(name, caller);
      return tool !== undefined && mayUse(tool, caller.authentication) ? tool : undefined;
    };
    const exact = usable(query.trim());
    const found = this.#indexed().find(query, limit, (name) => usable(name) !== undefined);
    const names = new Set([...(exact === undefined ? [] : [exact.definition.name]), ...found]);
    const tools = [...names].slice(0, limit).flatMap((name) => usable(name) ?? []);
    const answer = result({ structuredContent: { tools: tools.map(described) } });
    return recover(
      () => toCallToolResult("search_tools", undefined, answer, this.#limits),
      (error) => {
        if (!(error instanceof InvalidResultError)) throw error;
        return failedCall("What was found is too long for an answer: search with a lower limit");
      },
    );
  }

  /** Returns the index. The first call makes it. */
  #indexed(): ToolIndex {
    this.#index ??= new ToolIndex(
      this.#tools.map((tool) => ({
        name: tool.definition.name,
        reads: reads(tool),
        ...(tool.search ?? { heading: "", text: "" }),
      })),
    );
    return this.#index;
  }

  #forward(
    gateway: GatewayTool,
    input: RequestParameters,
    parameters: RequestParameters,
    caller: Caller,
  ): Awaitable<Result> {
    const call = readCall(input);
    if ("problem" in call) return refusal(gateway, call.problem);
    const { name } = call;
    const tool = this.#tool(name, caller);
    if (tool === undefined) {
      return failedCall(
        `Tool ${printableExcerpt(name)} not found: search_tools finds the names of tools`,
      );
    }
    const right = gatewayTo(tool);
    if (gateway !== right) {
      const what = right === "read_tool" ? "changes nothing" : "may change something";
      return failedCall(`Tool ${name} ${what}: call it with ${right}`);
    }
    return this.#call.answer({ ...parameters, name, arguments: call.arguments }, caller);
  }

  /** The tool with this name. Undefined if it does not exist, or is switched off or hidden from the caller. */
  #tool(name: string | undefined, caller?: Partial<Caller>): ToolEntry | undefined {
    return this.#call.itemOf?.({ name }, caller) as ToolEntry | undefined;
  }
}

/** Makes the feature that lists only the three gateway tools and the tools that the manifest names. */
export const createSearchedTools: CreateFeature = (definition, runtime) => {
  const { exposure } = definition;
  if (exposure === undefined) return createTools(definition, runtime);
  const isListed = new Set(exposure.listed);
  // A search finds only what the caller may use, so all else is hidden unless it is listed.
  const isHidden: ServerDefinition["isHidden"] = (tool, caller) =>
    definition.isHidden?.(tool, caller) === true ||
    (!isListed.has(tool.definition.name) && !mayUse(tool, caller.authentication));
  const tools = createTools({ ...definition, isHidden }, runtime);
  const call = tools?.methods["tools/call"];
  if (tools === undefined || call === undefined) return tools;
  const gateway = new ToolGateway(call, definition.tools, runtime);
  const entries: ListEntry<Tool>[] = [
    ...gatewayTools.map((tool) => ({ definition: tool })),
    ...definition.tools.filter((tool) => isListed.has(tool.definition.name)),
  ];
  const createList = definition.createPagedList ?? createItemList;
  const list = createList("tools", entries, runtime);
  return {
    ...tools,
    prepare: () => gateway.prepare(),
    methods: {
      "tools/list": {
        ...listMethod(definition),
        answer: (parameters, caller) => list.page(parameters, caller),
      },
      "tools/call": {
        parameters: call.parameters,
        answer: (parameters, caller) => gateway.answer(parameters, caller),
        itemOf: (parameters, caller) => gateway.itemOf(parameters, caller),
      },
    },
  };
};

const GATEWAYS: ReadonlySet<unknown> = new Set(gatewayTools.map(({ name }) => name));

function gatewayOf({ name }: RequestParameters): GatewayTool | undefined {
  return GATEWAYS.has(name) ? (name as GatewayTool) : undefined;
}

/** The gateway tool that runs this tool. `read_tool` runs only tools that change nothing. */
function gatewayTo(tool: ToolEntry): "read_tool" | "call_tool" {
  return reads(tool) ? "read_tool" : "call_tool";
}

function reads({ definition }: ToolEntry): boolean {
  return definition.annotations?.readOnlyHint === true;
}

/** The description of a tool in the result of a search. */
function described(tool: ToolEntry): object {
  const { name, title, description, inputSchema, annotations } = tool.definition;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(annotations !== undefined && { annotations }),
    callWith: gatewayTo(tool),
  };
}

function refusal(name: GatewayTool, problem: string): CallToolResult {
  return failedCall(`Input validation error: Invalid arguments for tool ${name}: ${problem}`);
}
