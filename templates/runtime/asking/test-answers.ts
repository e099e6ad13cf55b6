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
import type { Asks, ItemLists } from "../engine/item.js";
import { ToolError } from "../engine/errors.js";
import { imported } from "./imported.js";
import { asJson } from "./json-value.js";

/** A question as a handler under test has asked it. */
export interface AskedInTest {
  /** The question's key in the manifest, `sample` or `roots`. */
  readonly name: string;
  /** What the user is asked. */
  readonly message: string;
  /** As it would go to the client. */
  readonly request: InputRequest;
}

/** The answer that a test gives, or what makes it from the question. */
type Reply<Answer> = Answer | ((asked: AskedInTest) => Answer);
type Refusal = "decline" | "cancel";
type AnswerOf<Asking> = Asking extends (...parameters: never[]) => Promise<infer Answer>
  ? Exclude<Answer, undefined>
  : never;

/** The answers that a test can give to a handler with such a context. */
export type TestAnswers<Context> = (Context extends { readonly elicit: infer Questions }
  ? {
      /** By key: the content of the form (`true` where a page is to be opened), or a refusal. */
      readonly elicit?: {
        readonly [Key in keyof Questions]?: Reply<AnswerOf<Questions[Key]> | Refusal>;
      };
    }
  : unknown) &
  (Context extends { readonly sample: unknown }
    ? {
        /** The model's text, or its answer in full. */
        readonly sample?: SampleReply | ((request: CreateMessageRequestParams) => SampleReply);
      }
    : unknown) &
  (Context extends { readonly roots: unknown } ? { readonly roots?: readonly Root[] } : unknown);

type SampleReply = string | CreateMessageResult | CreateMessageResultWithTools;

/** What a test says about the client of a handler that asks. */
export interface TestClient {
  readonly answers?: unknown;
  /** What the client offers; everything, where a test does not say otherwise. */
  readonly can?: Partial<ClientFeatures>;
}

/** A context whose questions a test answers. */
export interface AskedContext {
  /** The questions that the handler has asked, in order. */
  readonly asked: readonly AskedInTest[];
}

/** Thrown when a handler asks what its test has no answer to. */
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
 * A context of a handler's own test in which it can ask what the manifest lets it ask.
 *
 * @param definition whose items were all imported
 */
export function askingTestContext<Context extends object>(
  context: Context,
  definition: ServerDefinition,
  handler: unknown,
  { answers, can }: TestClient,
): Context & AskedContext {
  const features = { elicit: true, elicitUrl: true, sample: true, roots: true, ...can };
  const asker = new TestAsker((answers ?? {}) as AnyAnswers, features);
  const whole = { ...context, can: features } as unknown as AnyContext;
  const asking = askingContext(whole, asksOf(definition, handler), asker, "test-run");
  return Object.assign(asking as unknown as Context, { asked: asker.asked });
}

/** What the manifest lets a handler ask. */
function asksOf(definition: ServerDefinition, handler: unknown): Asks {
  const {
    tools = [],
    resources = [],
    resourceTemplates = [],
    prompts = [],
  } = definition as ItemLists;
  for (const item of [...tools, ...resources, ...resourceTemplates, ...prompts]) {
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
    const taken = this.#steps.get(key) ?? (async () => asJson(await step()))();
    this.#steps.set(key, taken);
    return taken;
  }

  /** The response of a client whose user gives the test's answer. */
  #responseTo(asked: AskedInTest): unknown {
    const { elicit = {}, sample, roots } = this.#answers;
    switch (asked.request.method) {
      case "roots/list":
        return { roots: given(roots, asked) };
      case "sampling/createMessage":
        return sampled(given(sample, asked, asked.request.params));
      default: {
        const reply = Object.hasOwn(elicit, asked.name) ? elicit[asked.name] : undefined;
        const answer = given(reply, asked, asked);
        if (answer === "decline" || answer === "cancel") return { action: answer };
        return { action: "accept", ...(answer === true ? {} : { content: answer }) };
      }
    }
  }
}

/** The reply that a test gives to a question, made from `input` where it is a function. */
function given(reply: unknown, asked: AskedInTest, input?: unknown): unknown {
  if (reply === undefined) throw new MissingAnswerError(asked);
  return typeof reply === "function" ? (reply as (input: unknown) => unknown)(input) : reply;
}

function sampled(reply: unknown): unknown {
  if (typeof reply !== "string") return reply;
  return { role: "assistant", model: "test", content: { type: "text", text: reply } };
}
