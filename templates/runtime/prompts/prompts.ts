import type { GetPromptResult, Result, PromptMessage } from "@modelcontextprotocol/server";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import { areContentBlocks, isPlainText, text } from "../engine/content.js";
import { renderBlock } from "../engine/fixed-content.js";
import type { Caller } from "../context/context.js";
import type { FixedMessage, ListedPrompt, PromptEntry } from "./definition.js";
import type { ServerDefinition, CreateFeature } from "../engine/definition.js";
import { InvalidResultError, invalidParams } from "../engine/errors.js";
import { publicError, mockOf } from "../engine/protocol-errors.js";
import { createItemList, listMethod, type ItemList, type Page } from "../engine/item-list.js";
import { resultLength as jsonLength } from "../engine/json-result.js";
import { withFields } from "../observe/log.js";
import {
  printableExcerpt,
  hasOnly,
  isObject,
  objectParameter,
  textMember,
  textParameter,
  type RequestParameters,
} from "../engine/request-parameters.js";
import { ProtocolResult, runItem, type Runtime } from "../engine/runtime.js";

/** The result of a prompt's handler: the text of one user message, messages, or the whole result. */
export type PromptContent =
  | string
  | readonly PromptMessage[]
  | { readonly description?: string; readonly messages: readonly PromptMessage[] };

type PromptArguments = Readonly<Record<string, string>>;

/** Answers `prompts/list` and `prompts/get`. */
class Prompts {
  readonly #list: ItemList<"prompts", ListedPrompt>;
  readonly #byName: ReadonlyMap<string, PromptEntry>;
  readonly #definition: ServerDefinition;
  readonly #runtime: Runtime;

  constructor(definition: ServerDefinition, runtime: Runtime) {
    this.#definition = definition;
    const { prompts: entries, createPagedList = createItemList } = definition;
    this.#list = createPagedList("prompts", entries, runtime);
    this.#byName = new Map(entries.map((entry) => [entry.definition.name, entry]));
    this.#runtime = runtime;
  }

  /** Answers `prompts/list`. @throws ProtocolError -32602 for an unknown cursor */
  list(parameters: RequestParameters, caller: Caller): Page<"prompts", ListedPrompt> {
    return this.#list.page(parameters, caller);
  }

  /** Whether the list of prompts can change while the server runs. */
  get canChange(): boolean {
    return this.#list.canChange;
  }

  /** Returns the prompt with a name; undefined if it does not exist, or is switched off or hidden from the caller. */
  find(name: string | undefined, caller?: Partial<Caller>): PromptEntry | undefined {
    const prompt = name === undefined ? undefined : this.#byName.get(name);
    if (prompt === undefined || !this.#list.isOn(prompt.definition.name)) return undefined;
    return caller !== undefined && this.#definition.isHidden?.(prompt, caller) ? undefined : prompt;
  }

  /**
   * Makes the messages of a prompt.
   * @throws ProtocolError -32602 for an unknown prompt and for arguments that are missing, unknown or not a text,
   * -32603 if the handler fails
   */
  get(parameters: RequestParameters, caller: Caller): Awaitable<PromptAnswer> {
    const name = textParameter(parameters, "name");
    const prompt = this.find(name, caller);
    if (prompt === undefined) throw invalidParams(`Prompt ${printableExcerpt(name)} not found`);
    const given = { ...objectParameter(parameters, "arguments") };
    // A number is refused below; before that, a rounded one would be a text.
    this.#definition.exactNumbers?.restore(given);
    const values = readArguments(prompt, given);
    return recover(
      () => this.#answer(prompt, values, caller),
      (error) => {
        const { requestId } = caller;
        throw publicError(error, withFields(this.#runtime.log, { requestId, prompt: name }));
      },
    );
  }

  #answer(prompt: PromptEntry, values: PromptArguments, caller: Caller): Awaitable<PromptAnswer> {
    const { definition, messages = [], handler, mock } = prompt;
    const runtime = this.#runtime;
    const { resultLength } = runtime.limits;
    if (handler === undefined) {
      const rendered = messages.map((one) => renderMessage(one, values, resultLength));
      return promptResult(definition, { messages: rendered }, resultLength);
    }
    const { name } = definition;
    const call = { name: `prompt ${name}`, item: prompt, handler, input: values };
    const run = (): Awaitable<unknown> => runItem(runtime, caller, call);
    const isMocked = runtime.mock && mock !== undefined;
    return after(isMocked ? recover(run, (error) => mockOf(mock, error)) : run(), (returned) => {
      if (returned instanceof ProtocolResult) return returned.result;
      return after(toPromptResult(name, returned), (result) =>
        promptResult(definition, result, resultLength),
      );
    });
  }
}

type PromptAnswer = GetPromptResult | Result;

/** The part of the engine that lists and makes prompts. */
export const createPrompts: CreateFeature = (definition, runtime) => {
  if (definition.prompts.length === 0) return undefined;
  const answers = new Prompts(definition, runtime);
  return {
    capabilities: { prompts: { listChanged: answers.canChange } },
    methods: {
      "prompts/list": {
        ...listMethod(definition),
        answer: (parameters, caller) => answers.list(parameters, caller),
      },
      "prompts/get": {
        parameters: ["name", "arguments"],
        answer: (parameters, caller) => answers.get(parameters, caller),
        itemOf: (parameters, caller) => answers.find(textMember(parameters, "name"), caller),
      },
    },
  };
};

function readArguments({ definition }: PromptEntry, given: RequestParameters): PromptArguments {
  const declared = definition.arguments ?? [];
  const prompt = `prompt ${definition.name}`;
  for (const { name, required } of declared) {
    if (required && !Object.hasOwn(given, name)) {
      throw invalidParams(`Missing argument "${name}" of ${prompt}`);
    }
  }
  for (const [name, value] of Object.entries(given)) {
    if (!declared.some((argument) => argument.name === name)) {
      throw invalidParams(`Unknown argument "${printableExcerpt(name)}" of ${prompt}`);
    }
    if (typeof value !== "string") {
      throw invalidParams(`Argument "${name}" of ${prompt} must be a string`);
    }
  }
  return given as PromptArguments;
}

function renderMessage(
  message: FixedMessage,
  values: PromptArguments,
  longest: number,
): PromptMessage {
  return { role: message.role, content: renderBlock(message.content, values, longest) };
}

/** Adds the prompt's description to a result without one. @throws InvalidResultError if it is too long or not JSON */
function promptResult(
  listed: ListedPrompt,
  result: GetPromptResult,
  longest: number,
): GetPromptResult {
  checkLength(listed.name, result, longest);
  const { messages, description = listed.description } = result;
  return description === undefined ? { messages } : { description, messages };
}

function toPromptResult(name: string, returned: unknown): Awaitable<GetPromptResult> {
  if (typeof returned === "string") {
    return { messages: [{ role: "user", content: text(returned) }] };
  }
  const result = Array.isArray(returned) ? { messages: returned as unknown[] } : returned;
  const { description, messages }: RequestParameters = isObject(result) ? result : {};
  return after(areMessages(messages), (areWhole) => {
    if (!areWhole) {
      throw new InvalidResultError(`Prompt ${name} returned neither text nor messages`);
    }
    return {
      messages: messages as PromptMessage[],
      ...(typeof description === "string" ? { description } : {}),
    };
  });
}

function areMessages(values: unknown): Awaitable<boolean> {
  if (!Array.isArray(values)) return false;
  const messages: unknown[] = values;
  const contents = messages.flatMap((value) => {
    const isRole = isObject(value) && (value["role"] === "user" || value["role"] === "assistant");
    return isRole ? [value["content"]] : [];
  });
  return contents.length === messages.length && areContentBlocks(contents);
}

/** Returns the length of a message that is one plain text; undefined for any other. */
function plainLength(message: PromptMessage): number | undefined {
  const { content } = message;
  if (!isPlainText(content) || !hasOnly(message, ["role", "content"])) return undefined;
  return content.text.length;
}

/** Checks a result. @throws InvalidResultError if it is too long or not JSON */
function checkLength(
  name: string,
  { description = "", messages }: GetPromptResult,
  longest: number,
): void {
  let length = description.length;
  for (const message of messages) {
    length += plainLength(message) ?? jsonLength(`Prompt ${name}`, message);
    if (length > longest) break;
  }
  if (length > longest) throw new InvalidResultError(`Prompt ${name} returned too long a result`);
}
