import type { McpServerFactory } from "@modelcontextprotocol/server";
import { AnsweredError, Connection } from "../clients/connection.js";
import type { JsonObject } from "../contract.js";
import type { AskingContract, QuestionContract, QuestionsContract } from "./question-contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import type { Controls, TestRegistry } from "../clients/probed-server.js";

/** The part of `createServer` that these tests use. */
type CreateServer = (options: {
  readonly replaceHandler: () => (input: never, ctx: AskingContext) => Promise<string>;
  readonly log: Record<"debug" | "info" | "warning" | "error", () => void>;
}) => {
  readonly factory: McpServerFactory;
  readonly controls?: Controls;
  close(): Promise<void>;
};

/** The functions with which handlers ask. A handler has those that the manifest allows. */
interface AskingContext {
  readonly elicit: Readonly<Record<string, (values: JsonObject) => Promise<unknown>>>;
  sample(request: JsonObject): Promise<unknown>;
  roots(): Promise<unknown>;
}

const everything = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const samplingRequest = { messages: [], maxTokens: 10 };
const switches = {
  tool: "tools",
  resource: "resources",
  resourceTemplate: "resources",
  prompt: "prompts",
} as const;

/** The project's server, with handlers that ask the questions of a test. */
class AskingServer {
  /** Asks the questions of the next handlers. */
  ask: (ctx: AskingContext) => Promise<unknown> = async () => undefined;
  /** The answers that they got. */
  answers: unknown[] = [];
  readonly #server: ReturnType<CreateServer>;
  #connection: Promise<Connection> | undefined;

  constructor(createServer: CreateServer) {
    const ignore = (): void => undefined;
    this.#server = createServer({
      replaceHandler: () => async (_input, ctx) => {
        this.answers.push(await this.ask(ctx));
        return "asked";
      },
      log: { debug: ignore, info: ignore, warning: ignore, error: ignore },
    });
  }

  enable({ kind, name, enabled }: AskingContract): void {
    if (enabled === false) this.#server.controls?.[switches[kind]].enable(name);
  }

  /** Sends the item's request from a client of the newest era with these capabilities. */
  async send(
    { request }: AskingContract,
    more: JsonObject = {},
    capabilities: JsonObject = everything,
  ): Promise<JsonObject> {
    this.#connection ??= Connection.open(this.#server.factory, "modern");
    this.answers = [];
    const _meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
    const connection = await this.#connection;
    return connection.request(request.method, { ...request.params, ...more, _meta });
  }

  async close(): Promise<void> {
    await (await this.#connection)?.close();
    await this.#server.close();
  }
}

/** A question that the client got, and the state that it must send back. */
interface Asked {
  readonly key: string;
  readonly request: JsonObject;
  readonly requestState: string;
}

/** Registers the tests of questions: the client gets the questions of the manifest, and the handler valid answers. */
export function testQuestions(
  test: TestRegistry,
  { items }: QuestionsContract,
  createServer: CreateServer,
): void {
  const server = new AskingServer(createServer);
  test.after(() => server.close());
  for (const item of items) {
    const name = `${item.kind} ${shown(item.name)}`;
    for (const question of item.questions) {
      test(`${name} asks ${question.key} as written`, () => expectQuestion(item, question, server));
    }
    test(`${name} asks for what it uses, and for nothing else`, () => expectUses(item, server));
    test(`${name} asks no client that cannot be asked`, () => expectRefusal(item, server));
  }
}

async function expectQuestion(
  item: AskingContract,
  question: QuestionContract,
  server: AskingServer,
): Promise<void> {
  const { key, values, params, accepted, refused } = question;
  server.enable(item);
  server.ask = (ctx) => ctx.elicit[key]?.(values) ?? Promise.reject(new Error(`no ${key}`));
  const ask = async (): Promise<Asked> => askedBy(await server.send(item));
  const asked = await ask();
  expectEqual(asked.request, { method: "elicitation/create", params }, "the question");
  const answers = params["mode"] === "url" ? [{ content: {}, received: true }] : accepted;
  for (const { content, received } of answers) {
    // Where the user has agreed to the call, each answer is taken once.
    await server.send(item, answer(await ask(), { action: "accept", content }));
    expectEqual(server.answers, [received], `the answer ${shown(content)}`);
  }
  for (const { breaks = "", value } of refused) {
    const response = { action: "accept", content: value };
    const result = await server.send(item, answer(await ask(), response));
    expectEqual(askedBy(result).key, asked.key, `asked again, since ${breaks} was broken`);
  }
}

async function expectUses(item: AskingContract, server: AskingServer): Promise<void> {
  server.enable(item);
  let has: unknown;
  server.ask = async ({ elicit, sample, roots }) => {
    has = [Object.keys(elicit ?? {}), sample !== undefined, roots !== undefined];
  };
  await server.send(item);
  const { questions, sampling, roots } = item;
  expectEqual(has, [questions.map(({ key }) => key), sampling, roots], "what the context has");
  if (sampling) {
    server.ask = (ctx) => ctx.sample(samplingRequest);
    const { request } = askedBy(await server.send(item));
    expectEqual(request, { method: "sampling/createMessage", params: samplingRequest }, "request");
  }
  if (roots) {
    server.ask = (ctx) => ctx.roots();
    expectEqual(askedBy(await server.send(item)).request["method"], "roots/list", "method");
  }
}

async function expectRefusal(item: AskingContract, server: AskingServer): Promise<void> {
  server.enable(item);
  const [question] = item.questions;
  server.ask = (ctx) => {
    if (question !== undefined) return ctx.elicit[question.key]?.(question.values) ?? ctx.roots();
    return item.sampling ? ctx.sample(samplingRequest) : ctx.roots();
  };
  const error = await server.send(item, {}, {}).catch((thrown: unknown) => thrown);
  expectThat(error instanceof AnsweredError, `answered ${shown(error)}`);
  expectEqual((error as AnsweredError).code, -32021, "error code");
}

function askedBy(result: JsonObject): Asked {
  expectEqual(result["resultType"], "input_required", "resultType");
  const { inputRequests, requestState } = result as Readonly<{
    inputRequests: Record<string, JsonObject>;
    requestState: string;
  }>;
  const [[key, request] = ["", {}], ...others] = Object.entries(inputRequests);
  expectEqual(others, [], "other questions");
  return { key, request, requestState };
}

function answer({ key, requestState }: Asked, response: JsonObject): JsonObject {
  return { requestState, inputResponses: { [key]: response } };
}
