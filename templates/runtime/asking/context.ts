import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  Root,
} from "@modelcontextprotocol/server";
import { elicitation, roots, sampling, type Question, type QuestionValues } from "./questions.js";
import { clientFeatures, type ClientFeatures } from "./client-features.js";
import { asJson, type AsJson } from "./json-value.js";
import { extendContexts, type AnyContext } from "../context/context.js";
import { lateMember } from "../context/late-member.js";
import type { Asks } from "./definition.js";

const addRunId = lateMember("runId", () => crypto.randomUUID());

/**
 * Extends every context. A handler that asks nothing runs once per call, so each of its steps runs. For the others,
 * {@link askingContext} replaces `runId` and `once`.
 */
extendContexts((context, caller) => {
  Object.assign(context, {
    can: clientFeatures(caller.clientCapabilities()),
    once: async (_key: string, step: () => unknown) => asJson(await step()),
  });
  addRunId(context);
});

/** What the context of every handler has in a server with handlers that ask. */
export interface AskingContext {
  /** The kinds of questions that the client supports. */
  readonly can: ClientFeatures;
  /**
   * Identifies the call. All runs of the call have the same identifier, so that it can be an idempotency key
   * for another service.
   */
  readonly runId: string;
  /**
   * Runs a step only once, although the handler runs again after a question. Its result is kept with the
   * answers. `key` names the step within the handler.
   */
  once<Value>(key: string, step: () => Value | Promise<Value>): Promise<AsJson<Value>>;
}

/** Options of a question. */
export interface AskOptions {
  /**
   * A name for the question, instead of one made from its content. No other question of a run may have it. If
   * the client sends an answer with this name before it is asked, that answer is used.
   */
  readonly key?: string;
  /** Whether the answer is `undefined` if the user declines. Otherwise, an error is thrown. */
  readonly optional?: boolean;
}

type Required = AskOptions & { readonly optional?: false };
type Optional = AskOptions & { readonly optional: true };

/** The values of a question without placeholders. */
export type NoValues = Readonly<Record<never, never>>;

/**
 * Asks the user a question of the manifest, and returns the checked answer. `values` are those of the placeholders in the
 * question's text. The run of the handler ends at a question, and the handler runs again from the top with the answer.
 *
 * @throws InputRefused if the user declines or closes the question; with `optional: true`, the answer is undefined then
 */
export type Elicit<Values, Answer> = NoValues extends Values
  ? {
      (values?: Values, options?: Required): Promise<Answer>;
      (values: Values | undefined, options: Optional): Promise<Answer | undefined>;
    }
  : {
      (values: Values, options?: Required): Promise<Answer>;
      (values: Values, options: Optional): Promise<Answer | undefined>;
    };

/** The context of a handler that may ask the client's model. */
export interface SamplingContext {
  /**
   * Asks the client's model, and returns its message. If the client offers no model, which `can` tells, the call ends with an
   * error.
   */
  sample(
    request: CreateMessageRequestParams & { readonly tools?: undefined },
    options?: Pick<AskOptions, "key">,
  ): Promise<CreateMessageResult>;
  sample(
    request: CreateMessageRequestParams,
    options?: Pick<AskOptions, "key">,
  ): Promise<CreateMessageResultWithTools>;
}

/** The context of a handler that may ask for the client's folders. */
export interface RootsContext {
  /**
   * Asks for the folders that the user works with. If the client does not tell them, which `can` tells, the call ends with an
   * error.
   */
  roots(options?: Pick<AskOptions, "key">): Promise<readonly Root[]>;
}

/** Asks questions and runs steps for a handler. */
export interface Asker {
  /** @param key A name for the question, instead of one made from its content. */
  ask<Answer>(question: Question<Answer>, key?: string): Promise<Answer>;
  /** Runs a step only once. */
  once(key: string, step: () => unknown): Promise<unknown>;
}

/**
 * Adds the functions for the questions of the manifest to the context of a handler. It is not copied: its backends are made
 * when a handler reads them.
 */
export function askingContext(
  context: AnyContext,
  { elicitations = {}, sampling: maySample, roots: mayListRoots }: Asks,
  asker: Asker,
  runId: string,
): AnyContext {
  const elicit = Object.entries(elicitations).map(([key, definition]) => [
    key,
    (values: QuestionValues = {}, options: AskOptions = {}) =>
      asker.ask(withOptions(elicitation(key, definition, values), options), options.key),
  ]);
  Object.defineProperty(context, "runId", { enumerable: true, value: runId });
  return Object.assign(context, {
    once: (key: string, step: () => unknown) => asker.once(key, step),
    ...(elicit.length > 0 && { elicit: Object.fromEntries(elicit) as object }),
    ...(maySample === true && {
      sample: (request: CreateMessageRequestParams, options: AskOptions = {}) =>
        asker.ask(sampling(request), options.key),
    }),
    ...(mayListRoots === true && {
      roots: (options: AskOptions = {}) => asker.ask(roots(), options.key),
    }),
  });
}

/** Applies `optional` to a question: a refusal is then the answer `undefined`. */
function withOptions<Answer>(
  question: Question<Answer>,
  { optional }: AskOptions,
): Question<Answer | undefined> {
  if (optional !== true) return question;
  return {
    ...question,
    read: (response, problemOfNumbers) => {
      const reading = question.read(response, problemOfNumbers);
      return reading.kind === "refusal" ? { kind: "answer", answer: undefined } : reading;
    },
  };
}
