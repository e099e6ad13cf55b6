import type { CompleteResult } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { AnyHandler, CompletionSource, ServerDefinition } from "./definition.js";
import type { CompletionAnswers, EngineParts } from "./parts.js";
import { InvalidResultError, invalidParams, NotImplementedError, publicError } from "./errors.js";
import { withFields } from "../observe/log.js";
import {
  echo,
  isObject,
  objectParameter,
  textParameter,
  type RequestParameters,
} from "./request-parameters.js";
import { runHandler, type Runtime } from "./runtime.js";

/** The protocol's cap on the values of one answer. */
const mostValues = 100;

interface Candidate {
  readonly value: string;
  readonly folded: string;
}

/** The values offered for each argument of one prompt, or each variable of one template. */
type Sources = ReadonlyMap<string, readonly Candidate[] | AnyHandler<unknown>>;

/** What the code of a completion is asked. */
export interface CompletionQuery<Others extends string = string> {
  /** What was typed so far. */
  readonly value: string;
  /** The values of the other arguments, as far as the client knows them. */
  readonly given: { readonly [Name in Others]?: string };
}

/** What it answers: the values that fit, best first; of more than 100 the first 100 are sent. */
export type CompletionValues =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** How many there are altogether. */
      readonly total?: number;
      readonly hasMore?: boolean;
    };

/** Answers `completion/complete`, from the lists of the manifest or by code. */
export class Completion implements CompletionAnswers {
  readonly #prompts: ReadonlyMap<string, Sources>;
  readonly #resources: ReadonlyMap<string, { readonly name: string; readonly sources: Sources }>;
  readonly #runtime: Runtime;

  constructor({ prompts, resources, resourceTemplates }: ServerDefinition, runtime: Runtime) {
    this.#prompts = new Map(
      prompts.map(({ definition, complete }) => [definition.name, sourcesOf(complete)]),
    );
    this.#resources = new Map([
      ...resources.map(
        ({ definition: { uri, name } }) => [uri, { name, sources: sourcesOf({}) }] as const,
      ),
      ...resourceTemplates.map(
        ({ definition: { uriTemplate, name }, complete }) =>
          [uriTemplate, { name, sources: sourcesOf(complete) }] as const,
      ),
    ]);
    this.#runtime = runtime;
  }

  /** Whether any argument or variable has values to offer. */
  get isOffered(): boolean {
    const ofResources = [...this.#resources.values()].map(({ sources }) => sources);
    return [...this.#prompts.values(), ...ofResources].some((one) => one.size > 0);
  }

  /**
   * The values of a list that start with what was typed, whatever its case; or what the code finds.
   * @throws ProtocolError -32602 for a prompt or template that does not exist, -32603 when the code fails
   */
  async complete(parameters: RequestParameters, caller: Caller): Promise<CompleteResult> {
    const sources = this.#find(objectParameter(parameters, "ref"));
    const argument = objectParameter(parameters, "argument");
    const name = textParameter(argument, "name");
    const value = textParameter(argument, "value");
    const source = sources.get(name) ?? [];
    if (typeof source !== "function") return fromList(source, value);
    const given = givenValues(objectParameter(parameters, "context"));
    try {
      const returned = await runHandler(this.#runtime, caller, source, { value, given });
      return fromCode(name, returned, this.#runtime.limits.resultLength);
    } catch (error) {
      if (this.#runtime.mock && error instanceof NotImplementedError) return completionOf([], 0);
      const { requestId } = caller;
      throw publicError(error, withFields(this.#runtime.log, { requestId, completionOf: name }));
    }
  }

  /** The name of the prompt or template that a reference is to; undefined where there is none. */
  nameOf({ type, name, uri }: RequestParameters): string | undefined {
    const { prompts, resources } = this.#runtime.controls;
    if (type === "ref/prompt") {
      const text = String(name);
      return this.#prompts.has(text) && prompts.isOn(text) ? text : undefined;
    }
    const found = this.#resources.get(uri as string)?.name;
    return found !== undefined && resources.isOn(found) ? found : undefined;
  }

  #find(reference: RequestParameters): Sources {
    const { prompts, resources } = this.#runtime.controls;
    const type = textParameter(reference, "type");
    if (type === "ref/prompt") {
      const name = textParameter(reference, "name");
      const found = prompts.isOn(name) ? this.#prompts.get(name) : undefined;
      if (found === undefined) throw invalidParams(`Prompt ${echo(name)} not found`);
      return found;
    }
    if (type !== "ref/resource") throw invalidParams(`Unknown reference type ${echo(type)}`);
    const uri = textParameter(reference, "uri");
    const found = this.#resources.get(uri);
    if (found === undefined || !resources.isOn(found.name)) {
      throw invalidParams(`Resource template ${echo(uri)} not found`);
    }
    return found.sources;
  }
}

/** The part of the engine that completes arguments and variables. */
export const createCompletion: NonNullable<EngineParts["createCompletion"]> = (
  definition,
  runtime,
) => new Completion(definition, runtime);

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

/** @throws InvalidResultError when it is no list of texts, or too long */
function fromCode(name: string, returned: unknown, longest: number): CompleteResult {
  const { values, total, hasMore } = isObject(returned) ? returned : { values: returned };
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string")) {
    throw new InvalidResultError(`The completion of ${name} returned no list of texts`);
  }
  const length = values.slice(0, mostValues).reduce((sum, value) => sum + value.length, 0);
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
  const sent = values.slice(0, mostValues);
  return {
    completion: {
      values: sent,
      ...(total === undefined ? {} : { total }),
      hasMore: hasMore === true || (total ?? values.length) > sent.length,
    },
  };
}

/** The texts among `context.arguments`. */
function givenValues(context: RequestParameters): Readonly<Record<string, string>> {
  const texts = Object.entries(objectParameter(context, "arguments")).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}
