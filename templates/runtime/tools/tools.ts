import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, InputRequiredResult, Tool } from "@modelcontextprotocol/server";
import { excessOf } from "./argument-limits.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import { renderBlock } from "../engine/content.js";
import type { Caller } from "../context/context.js";
import { withDefaults } from "./defaults.js";
import type { MockAnswer, ToolEntry } from "../engine/definition.js";
import {
  invalidParams,
  NotImplementedError,
  publicMessage,
  RequestRefused,
  ToolError,
} from "../engine/errors.js";
import { ItemList, type Page } from "../engine/item-list.js";
import { withFields } from "../observe/log.js";
import {
  echo,
  objectParameter,
  textParameter,
  type RequestParameters,
} from "../engine/request-parameters.js";
import { result } from "./result.js";
import { InputRequired, runItem, type HandlerCall, type Runtime } from "../engine/runtime.js";
import { failedCall, toCallToolResult } from "./tool-result.js";
import { validationMessage } from "../engine/validation-message.js";

type FixedBehaviour = Extract<ToolEntry["behaviour"], { kind: "fixed" }>;

/** Answers `tools/list` and `tools/call`. */
export class Tools {
  readonly #list: ItemList<"tools", Tool>;
  readonly #byName: ReadonlyMap<string, ToolEntry>;
  readonly #runtime: Runtime;

  constructor(entries: readonly ToolEntry[], runtime: Runtime) {
    const { controls, pageSize } = runtime;
    this.#list = new ItemList("tools", entries, controls.tools, pageSize);
    this.#byName = new Map(
      entries.flatMap((entry) => namesOf(entry).map((name) => [name, entry] as const)),
    );
    this.#runtime = runtime;
  }

  /** Answers `tools/list`. @throws ProtocolError -32602 for an unknown cursor */
  list(parameters: RequestParameters): Page<"tools", Tool> {
    return this.#list.page(parameters);
  }

  /** The tool that answers to a name, which may be one of its aliases; undefined where it is switched off. */
  get(name: string): ToolEntry | undefined {
    const tool = this.#byName.get(name);
    return tool && this.#runtime.controls.tools.isOn(tool.definition.name) ? tool : undefined;
  }

  /**
   * Answers a call. Arguments that break the schema and handlers that fail are answered as
   * `isError`, so that a model can read why.
   * @throws ProtocolError -32602 for an unknown tool, and for arguments that are no object or beyond the limits
   */
  call(parameters: RequestParameters, caller: Caller): Awaitable<CallAnswer> {
    const name = textParameter(parameters, "name");
    const tool = this.get(name);
    if (tool === undefined) throw invalidParams(`Tool ${echo(name)} not found`);
    return this.run(tool, parameters, caller);
  }

  /** The same for a tool that {@link get} has found by the name in the parameters. */
  run(tool: ToolEntry, parameters: RequestParameters, caller: Caller): Awaitable<CallAnswer> {
    const name = textParameter(parameters, "name");
    const input = objectParameter(parameters, "arguments");
    const excess = excessOf(input, this.#runtime.limits);
    if (excess !== undefined) {
      throw invalidParams(`Invalid arguments for tool ${name}: ${excess}`);
    }
    if (!tool.validateInput(input)) {
      const problems = validationMessage(tool.validateInput.errors);
      return failedCall(`Input validation error: Invalid arguments for tool ${name}: ${problems}`);
    }
    return recover(
      () => this.#answer(tool, input, caller),
      (error) => {
        if (error instanceof RequestRefused) throw error.error;
        const { requestId } = caller;
        const log = withFields(this.#runtime.log, { requestId, tool: tool.definition.name });
        return failedCall(publicMessage(error, log));
      },
    );
  }

  #answer(tool: ToolEntry, input: RequestParameters, caller: Caller): Awaitable<CallAnswer> {
    const filled = withDefaults(input, tool.defaults ?? {}) as RequestParameters;
    const { behaviour, definition, timeoutMs } = tool;
    if (behaviour.kind === "fixed") return this.#renderFixed(behaviour, filled);
    const call = { item: `tool ${definition.name}`, behaviour, input: filled, timeoutMs };
    const running = this.#runtime.mock
      ? this.#mocked(call, () => answerTo(filled, behaviour), caller)
      : runItem(this.#runtime, caller, call);
    return after(running, (returned) =>
      returned instanceof InputRequired
        ? returned.result
        : toCallToolResult(tool, returned, this.#runtime.limits),
    );
  }

  #renderFixed(behaviour: FixedBehaviour, input: RequestParameters): CallToolResult {
    const { content, structuredContent, isError } = behaviour;
    const { resultLength } = this.#runtime.limits;
    return {
      content: content.map((block) => renderBlock(block, input, resultLength)),
      ...(structuredContent === undefined
        ? {}
        : { structuredContent: structuredContent as object }),
      ...(isError === undefined ? {} : { isError }),
    };
  }

  /** Runs a handler, or answers for one that is not written yet. */
  #mocked(call: HandlerCall, answer: () => MockAnswer, caller: Caller): Awaitable<unknown> {
    return recover(
      () => runItem(this.#runtime, caller, call),
      (error) => {
        if (error instanceof NotImplementedError) return mockAnswer(answer());
        throw error;
      },
    );
  }
}

type OwnBehaviour = Extract<ToolEntry["behaviour"], { kind: "handler" }>;

/** The answer of the example that shows this very call, else the usual one. */
function answerTo(input: RequestParameters, { mock, mocks = [] }: OwnBehaviour): MockAnswer {
  const shown = mocks.find((call) => isDeepStrictEqual(call.arguments, input));
  return shown?.answer ?? mock;
}

type CallAnswer = CallToolResult | InputRequiredResult;

/** What a tool may be called by: the name in the list first, then the aliases. */
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
