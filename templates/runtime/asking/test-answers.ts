import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  InputRequest,
  Root,
} from "@modelcontextprotocol/server";
import { askingContext, type Asker } from "./context.js";
import type { Question } from "./questions.js";
import type { ClientFeatures } from "./client-features.js";
import type { AnyContext } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import { itemsOf } from "../engine/item.js";
import type { Asks } from "./definition.js";
import { ToolError } from "../engine/errors.js";
import { imported } from "./imported.js";
import { asJson } from "./json-value.js";

/** A question that a handler has asked in its test. */
export interface AskedInTest {
  /** The question's key in the manifest, `sample` or `roots`. */
  readonly name: string;
  /** The text for the user. */
  readonly message: string;
  /** The request, as a client would get it. */
  readonly request: InputRequest;
}

/** The answer of a test, or a function that makes it from the question. */
type Reply<Answer> = Answer | ((asked: AskedInTest) => Answer);
type Refusal = "decline" | "cancel";
type AnswerOf<Asking> = Asking extends (...parameters: never[]) => Promise<infer Answer>
  ? Exclude<Answer, undefined>
  : never;

/** The answers that a test can give to a handler with this context. */
export type TestAnswers<Context> = (Context extends { readonly elicit: infer Questions }
  ? {
      /** By key: the content of the form (`true` for a page), or a refusal. */
      readonly elicit?: {
        readonly [Key in keyof Questions]?: Reply<AnswerOf<Questions[Key]> | Refusal>;
      };
    }
  : unknown) &
  (Context extends { readonly sample: unknown }
    ? {
        /** The model's text, or its whole answer. */
        readonly sample?: SampleReply | ((request: CreateMessageRequestParams) => SampleReply);
      }
    : unknown) &
  (Context extends { readonly roots: unknown } ? { readonly roots?: readonly Root[] } : unknown);

type SampleReply = string | CreateMessageResult | CreateMessageResultWithTools;

/** The client of a handler in its test. */
export interface TestClient {
  /** The answers to questions, by their names. A handler that asks another question fails. */
  readonly answers?: unknown;
  /** The kinds of questions that the client supports. By default, it supports all. */
  readonly can?: Partial<ClientFeatures>;
}

/** The part of a test's context that records questions. */
export interface AskedContext {
  /** The questions that the handler has asked, in order. */
  readonly asked: readonly AskedInTest[];
}

/** Thrown if a handler asks a question to which its test has no answer. */
class MissingAnswerError extends Error {
  override name = "MissingAnswerError";

  constructor({ name, message }: AskedInTest) {
    const answers = name === "sample" || name === "roots" ? name : `elicit: { ${name}: … }`;
    super(
      `asks "${message}": pass an answer, createTestContext(handler, { answers: { ${answers} } })`,
    );
  }
}

/**
 * Makes the context for the test of a handler that may ask. It has functions for the questions of the manifest.
 * @param definition Its items must be imported.
 */
export function askingTestContext<Context extends object>(
  context: Context,
  definition: ServerDefinition,
  handler: unknown,
  { answers, can }: TestClient,
): Context & AskedContext {
  const features = { elicit: true, elicitUrl: true, sample: true, roots: true, ...can };
  const asker = new TestAsker((answers ?? {}) as AnyAnswers, features);
  // The type of a project's context is a parameter, which does not say that it has the members of every context.
  const base = { ...context, can: features } as unknown as AnyContext;
  const asking = askingContext(base, asksOf(definition, handler), asker, "test-run");
  return Object.assign(asking as Context, { asked: asker.asked });
}

/** Returns the questions that the manifest allows to a handler. */
function asksOf(definition: ServerDefinition, handler: unknown): Asks {
  for (const item of itemsOf(definition)) {
    if (item.handler !== undefined && imported(item.handler) === handler) return item.asks ?? {};
  }
  throw new Error("createTestContext was given a handler that is none of this project's");
}

interface AnyAnswers {
  readonly elicit?: Readonly<Record<string, unknown>>;
  readonly sample?: unknown;
  readonly roots?: unknown;
}

class TestAsker implements Asker {
  readonly asked: AskedInTest[] = [];
  readonly #answers: AnyAnswers;
  readonly #can: ClientFeatures;
  readonly #steps = new Map<string, Promise<unknown>>();

  constructor(answers: AnyAnswers, can: ClientFeatures) {
    this.#answers = answers;
    this.#can = can;
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { name, text, needs, request } = question;
    if (!this.#can[needs === "sampleWithTools" ? "sample" : needs]) {
      throw new ToolError(`The client of this test does not offer what "${name}" needs`);
    }
    const asked = { name, message: text, request };
    this.asked.push(asked);
    const reading = question.read(this.#responseTo(asked), () => undefined);
    if (reading.kind === "answer") return reading.answer;
    if (reading.kind === "refusal") throw reading.error;
    throw new Error(`the test's answer to "${text}" does not fit: ${reading.problem}`);
  }

  once(key: string, step: () => unknown): Promise<unknown> {
    const result = this.#steps.get(key) ?? (async () => asJson(await step()))();
    this.#steps.set(key, result);
    return result;
  }

  /** Returns the response of a client whose user gives the test's answer. */
  #responseTo(asked: AskedInTest): unknown {
    const { elicit = {}, sample, roots } = this.#answers;
    switch (asked.request.method) {
      case "roots/list":
        return { roots: replyTo(roots, asked) };
      case "sampling/createMessage":
        return samplingResponse(replyTo(sample, asked, asked.request.params));
      default: {
        const reply = Object.hasOwn(elicit, asked.name) ? elicit[asked.name] : undefined;
        const answer = replyTo(reply, asked, asked);
        if (answer === "decline" || answer === "cancel") return { action: answer };
        return { action: "accept", ...(answer === true ? {} : { content: answer }) };
      }
    }
  }
}

/** Returns the test's reply to a question. A reply that is a function is called with `input`. */
function replyTo(reply: unknown, asked: AskedInTest, input?: unknown): unknown {
  if (reply === undefined) throw new MissingAnswerError(asked);
  return typeof reply === "function" ? (reply as (input: unknown) => unknown)(input) : reply;
}

function samplingResponse(reply: unknown): unknown {
  if (typeof reply !== "string") return reply;
  return { role: "assistant", model: "test", content: { type: "text", text: reply } };
}
