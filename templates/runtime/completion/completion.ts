import type { CompleteResult } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { ServerDefinition, CreateFeature } from "../engine/definition.js";
import type { AnyHandler, CompletionSource, Item, ItemLists } from "../engine/item.js";
import { statesOf } from "../engine/item-states.js";
import { InvalidResultError, invalidParams, NotImplementedError } from "../engine/errors.js";
import { publicError } from "../engine/protocol-errors.js";
import { withFields } from "../observe/log.js";
import {
  printableExcerpt,
  isObject,
  objectParameter,
  textParameter,
  type RequestParameters,
} from "../engine/request-parameters.js";
import type { Late } from "../engine/awaitable.js";
import { runHandler, type Runtime } from "../engine/runtime.js";

/** The protocol's limit of the values in one answer. */
const maxValues = 100;

interface Candidate {
  readonly value: string;
  readonly folded: string;
}

/** The suggestions for each argument of a prompt, or each variable of a template. */
type Sources = ReadonlyMap<string, readonly Candidate[] | Late<AnyHandler<unknown>>>;

/** The parts of a prompt or a template that completion uses. */
interface CompletableItem extends Item {
  readonly definition: {
    readonly name: string;
    readonly uri?: string;
    readonly uriTemplate?: string;
  };
  readonly complete?: Readonly<Record<string, CompletionSource>>;
}

interface Completable {
  readonly item: CompletableItem;
  readonly sources: Sources;
}

/** Answers `completion/complete`, from the lists of the manifest or by handlers. */
export class Completion {
  readonly #prompts: ReadonlyMap<unknown, Completable>;
  readonly #resources: ReadonlyMap<unknown, Completable>;
  readonly #isHidden: ServerDefinition["isHidden"];
  readonly #runtime: Runtime;

  constructor(definition: ServerDefinition, runtime: Runtime) {
    const {
      prompts = [],
      resources = [],
      resourceTemplates = [],
    } = definition as ItemLists<CompletableItem>;
    this.#prompts = new Map(prompts.map((item) => [item.definition.name, completable(item)]));
    this.#resources = new Map(
      [...resources, ...resourceTemplates].map((item) => {
        const { uri, uriTemplate = uri } = item.definition;
        return [uriTemplate, completable(item)];
      }),
    );
    this.#isHidden = definition.isHidden;
    this.#runtime = runtime;
  }

  /** Whether any argument or variable has suggestions. */
  get isOffered(): boolean {
    const all = [...this.#prompts.values(), ...this.#resources.values()];
    return all.some(({ sources }) => sources.size > 0);
  }

  /**
   * Returns the values of a list that start with the typed text, in any case, or the values that the handler finds.
   * @throws ProtocolError -32602 for a prompt or template that does not exist, -32603 if the handler fails
   */
  async complete(parameters: RequestParameters, caller: Caller): Promise<CompleteResult> {
    const sources = this.#find(objectParameter(parameters, "ref"), caller);
    const argument = objectParameter(parameters, "argument");
    const name = textParameter(argument, "name");
    const value = textParameter(argument, "value");
    const source = sources.get(name) ?? [];
    if (typeof source !== "function") return fromList(source, value);
    const given = givenValues(objectParameter(parameters, "context"));
    try {
      const code = await source();
      const returned = await runHandler(this.#runtime, caller, code, { value, given });
      return fromCode(name, returned, this.#runtime.limits.resultLength);
    } catch (error) {
      if (this.#runtime.mock && error instanceof NotImplementedError) return completionOf([], 0);
      const { requestId } = caller;
      throw publicError(error, withFields(this.#runtime.log, { requestId, completionOf: name }));
    }
  }

  /** Returns the prompt, resource or template of a reference; undefined if there is none, or it is hidden. */
  itemOf({ type, name, uri }: RequestParameters, caller?: Partial<Caller>): Item | undefined {
    const { itemStates } = this.#runtime;
    const [found, key] =
      type === "ref/prompt"
        ? [this.#prompts.get(name), "prompts"]
        : [this.#resources.get(uri), "resources"];
    const isOn = found && statesOf(key, itemStates).isOn(found.item.definition.name);
    if (!isOn) return undefined;
    return caller !== undefined && this.#isHidden?.(found.item, caller) ? undefined : found.item;
  }

  #find(reference: RequestParameters, caller: Caller): Sources {
    const type = textParameter(reference, "type");
    const isPrompt = type === "ref/prompt";
    if (!isPrompt && type !== "ref/resource") {
      throw invalidParams(`Unknown reference type ${printableExcerpt(type)}`);
    }
    const key = textParameter(reference, isPrompt ? "name" : "uri");
    const found = (isPrompt ? this.#prompts : this.#resources).get(key);
    if (found === undefined || this.itemOf(reference, caller) === undefined) {
      const kind = isPrompt ? "Prompt" : "Resource template";
      throw invalidParams(`${kind} ${printableExcerpt(key)} not found`);
    }
    return found.sources;
  }
}

/** The part of the engine that completes arguments and variables. */
export const createCompletion: CreateFeature = (definition, runtime) => {
  const completion = new Completion(definition, runtime);
  if (!completion.isOffered) return undefined;
  return {
    capabilities: { completions: {} },
    methods: {
      "completion/complete": {
        parameters: ["ref", "argument", "context"],
        answer: (parameters, caller) => completion.complete(parameters, caller),
        itemOf: ({ ref }, caller) => completion.itemOf(isObject(ref) ? ref : {}, caller),
      },
    },
  };
};

function completable(item: CompletableItem): Completable {
  return { item, sources: sourcesOf(item.complete) };
}

function sourcesOf(complete: Readonly<Record<string, CompletionSource>> = {}): Sources {
  return new Map(
    Object.entries(complete).map(([name, source]) => [
      name,
      typeof source === "function"
        ? source
        : source.map((value) => ({ value, folded: value.toLowerCase() })),
    ]),
  );
}

function fromList(all: readonly Candidate[], typed: string): CompleteResult {
  const start = typed.toLowerCase();
  const matching = all.filter(({ folded }) => folded.startsWith(start));
  return completionOf(
    matching.map(({ value }) => value),
    matching.length,
  );
}

/** Reads the result of a handler. @throws InvalidResultError if it is no list of texts, or too long */
function fromCode(name: string, returned: unknown, longest: number): CompleteResult {
  const { values, total, hasMore } = isObject(returned) ? returned : { values: returned };
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string")) {
    throw new InvalidResultError(`The completion of ${name} returned no list of texts`);
  }
  const length = values.slice(0, maxValues).reduce((sum, value) => sum + value.length, 0);
  if (length > longest) {
    throw new InvalidResultError(`The completion of ${name} returned too long a list`);
  }
  const atLeast = Number.isSafeInteger(total) ? Math.max(Number(total), values.length) : undefined;
  return completionOf(values, atLeast ?? (hasMore === true ? undefined : values.length), hasMore);
}

function completionOf(
  values: readonly string[],
  total: number | undefined,
  hasMore?: unknown,
): CompleteResult {
  const sent = values.slice(0, maxValues);
  return {
    completion: {
      values: sent,
      ...(total === undefined ? {} : { total }),
      hasMore: hasMore === true || (total ?? values.length) > sent.length,
    },
  };
}

/** Returns the texts among `context.arguments`. */
function givenValues(context: RequestParameters): Readonly<Record<string, string>> {
  const texts = Object.entries(objectParameter(context, "arguments")).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}
