import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, Result, Tool } from "@modelcontextprotocol/server";
import { limitViolation, takesNothing } from "./argument-limits.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import type { Caller } from "../context/context.js";
import type { MockAnswer, ToolEntry, ToolValidators } from "./definition.js";
import type { ServerDefinition, CreateFeature } from "../engine/definition.js";
import { invalidParams, NotImplementedError, RequestRefused, ToolError } from "../engine/errors.js";
import { createItemList, listMethod, type ItemList, type Page } from "../engine/item-list.js";
import { withFields } from "../observe/log.js";
import {
  isObject,
  printableExcerpt,
  objectParameter,
  textMember,
  textParameter,
  type RequestParameters,
} from "../engine/request-parameters.js";
import { result, failedCall, failureOf } from "./result.js";
import {
  exceedLimit,
  ProtocolResult,
  runItem,
  type HandlerCall,
  type Runtime,
} from "../engine/runtime.js";
import { toCallToolResult } from "./tool-result.js";
import { validationMessage } from "../engine/validation-message.js";

/** Answers `tools/list` and `tools/call`. */
export class Tools {
  readonly #list: ItemList<"tools", Tool>;
  readonly #byName: ReadonlyMap<string, ToolEntry>;
  readonly #definition: ServerDefinition;
  readonly #runtime: Runtime;

  constructor(definition: ServerDefinition, runtime: Runtime) {
    const { tools } = definition;
    const createList = definition.createPagedList ?? createItemList;
    this.#list = createList("tools", tools, runtime);
    this.#byName = new Map(
      tools.flatMap((entry) => namesOf(entry).map((name) => [name, entry] as const)),
    );
    this.#definition = definition;
    this.#runtime = runtime;
  }

  /** Answers `tools/list`. @throws ProtocolError -32602 for an unknown cursor */
  list(parameters: RequestParameters, caller: Caller): Page<"tools", Tool> {
    return this.#list.page(parameters, caller);
  }

  /** Whether the list of tools can change while the server runs. */
  get canChange(): boolean {
    return this.#list.canChange;
  }

  /**
   * The tool that answers to a name, which may be one of its aliases; undefined if there is none, or it is switched
   * off or hidden from the caller.
   */
  get(name: string | undefined, caller?: Partial<Caller>): ToolEntry | undefined {
    const tool = name === undefined ? undefined : this.#byName.get(name);
    if (tool === undefined || !this.#list.isOn(tool.definition.name)) return undefined;
    return caller !== undefined && this.#definition.isHidden?.(tool, caller) ? undefined : tool;
  }

  /**
   * Answers a call. Arguments that break the schema and handlers that fail are answered as
   * `isError`, so that a model can read why.
   * @throws ProtocolError -32602 for an unknown tool, and for arguments that are no object or beyond the limits
   */
  call(parameters: RequestParameters, caller: Caller): Awaitable<CallAnswer> {
    const name = textParameter(parameters, "name");
    const tool = this.get(name, caller);
    if (tool === undefined) throw invalidParams(`Tool ${printableExcerpt(name)} not found`);
    const sent = objectParameter(parameters, "arguments");
    const excess = limitViolation(sent, this.#runtime.limits);
    if (excess !== undefined) {
      const limit = excess.limit && exceedLimit(this.#runtime, caller, excess.limit);
      const problem = limit === undefined ? excess.problem : `${excess.problem} (${limit})`;
      throw invalidParams(`Invalid arguments for tool ${name}: ${problem}`);
    }
    const input = takesNothing(tool) ? {} : sent;
    const check = this.#definition.prepareArguments?.(input);
    return recover(
      () =>
        after(tool.validators(), (validators) => {
          const problems = validators.input(input)
            ? check?.(tool.definition.inputSchema)
            : validationMessage(validators.input.errors);
          if (problems === undefined) return this.#answer(tool, validators, input, caller);
          return failedCall(
            `Input validation error: Invalid arguments for tool ${name}: ${problems}`,
          );
        }),
      (error) => {
        if (error instanceof RequestRefused) throw error.error;
        const { requestId } = caller;
        const log = withFields(this.#runtime.log, { requestId, tool: tool.definition.name });
        return failureOf(error, log);
      },
    );
  }

  #answer(
    tool: ToolEntry,
    { output }: ToolValidators,
    input: RequestParameters,
    caller: Caller,
  ): Awaitable<CallAnswer> {
    const { handler } = tool;
    const { name } = tool.definition;
    const { withDefaults, renderFixed } = this.#definition;
    const filled = withDefaults === undefined ? input : withDefaults(input, tool);
    if (handler === undefined) {
      if (renderFixed === undefined) throw new Error(`tool ${name} has no answer`);
      return renderFixed(tool, filled, this.#runtime.limits.resultLength);
    }
    const call = { name: `tool ${name}`, item: tool, handler, input: filled };
    const { text } = tool;
    const { shortText } = this.#definition;
    // Clients of the older eras may know only the text.
    const isShort = text !== undefined && caller.era === "modern";
    const textOf = isShort && shortText && ((value: unknown) => shortText(text, value));
    const run = (): Awaitable<unknown> =>
      this.#runtime.mock
        ? this.#mocked(call, () => answerTo(filled, tool), caller)
        : runItem(this.#runtime, caller, call);
    const { tasks } = this.#runtime;
    const running = tasks === undefined ? run() : after(tasks.begin(tool, caller), run);
    return after(running, (returned) =>
      returned instanceof ProtocolResult
        ? returned.result
        : toCallToolResult(name, output, returned, this.#runtime.limits, textOf || undefined),
    );
  }

  /** Runs a handler in mock mode: the mock replaces the result of a handler that is not written yet. */
  #mocked(
    call: HandlerCall,
    answer: () => MockAnswer | undefined,
    caller: Caller,
  ): Awaitable<unknown> {
    return recover(
      () => runItem(this.#runtime, caller, call),
      (error) => {
        const mock = error instanceof NotImplementedError ? answer() : undefined;
        if (mock === undefined) throw error;
        return mockAnswer(mock);
      },
    );
  }
}

/** Returns the answer of the example with these arguments, else the default mock; undefined without one. */
function answerTo(
  input: RequestParameters,
  { mock, mocks = [] }: ToolEntry,
): MockAnswer | undefined {
  const example = mocks.find((call) => isDeepStrictEqual(call.arguments, input));
  return example?.answer ?? mock;
}

/** The part of the engine that lists and calls tools. */
export const createTools: CreateFeature = (definition, runtime) => {
  if (definition.tools.length === 0) return undefined;
  const tools = new Tools(definition, runtime);
  return {
    capabilities: {
      tools: { listChanged: tools.canChange },
      ...(definition.tools.some(hasApp) && { extensions: { [APPS]: {} } }),
    },
    methods: {
      "tools/list": {
        ...listMethod(definition),
        answer: (parameters, caller) => tools.list(parameters, caller),
      },
      "tools/call": {
        parameters: ["name", "arguments"],
        answer: (parameters, caller) => tools.call(parameters, caller),
        itemOf: (parameters, caller) => tools.get(textMember(parameters, "name"), caller),
      },
    },
  };
};

/** The extension MCP Apps, SEP-1865. */
const APPS = "io.modelcontextprotocol/ui";

/** Whether clients that know MCP Apps show a page with the tool. */
function hasApp({ definition: { _meta: meta } }: ToolEntry): boolean {
  return isObject(meta?.["ui"]);
}

type CallAnswer = CallToolResult | Result;

/** The names of a tool: first the listed one, then the aliases. */
export function namesOf({ definition, aliases = [] }: ToolEntry): string[] {
  return [definition.name, ...aliases];
}

function mockAnswer(mock: MockAnswer): unknown {
  switch (mock.kind) {
    case "value":
      return mock.value;
    case "text":
      return result({ content: mock.text });
    case "error":
      throw new ToolError(mock.error);
  }
}
