import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A call that the model asks its client for. */
export interface WantedCall {
  /** The name of the tool, or its end where the client puts something before it. */
  readonly tool: string;
  readonly input: object;
}

/** The call that follows the results that the client has passed on so far; undefined where the model is done. */
export type NextCall = (results: readonly unknown[]) => WantedCall | undefined;

/** A tool of a client, as its request to the model names it. */
interface OfferedTool {
  /** Absent for what the model's maker runs, such as a search of the web. */
  readonly name?: string;
  readonly namespace?: string;
}

/** A request of a client. Its members depend on the dialect. */
type Body = Readonly<Record<string, unknown>>;

/** How the clients of a maker speak with its models. */
interface Dialect {
  /** Whether a request is a turn of the conversation. */
  isTurn(path: string, body: Body): boolean;
  tools(body: Body): readonly OfferedTool[];
  /** The results of calls that the client passes on. */
  results(body: Body): readonly unknown[];
  /**
   * The events of an answer: a call, or a text.
   *
   * @param turn a number that no other call of the conversation has
   */
  events(
    call: (OfferedTool & Pick<WantedCall, "input">) | undefined,
    turn: number,
  ): readonly object[];
}

/** What the client said to the model. */
export interface Heard {
  readonly tools: readonly string[];
  readonly results: readonly unknown[];
  /** Everything that it sent. */
  readonly turns: readonly unknown[];
}

/** The list at a key of a value; an empty one if it has none. */
function listOf<Item>(value: unknown, key: string): readonly Item[] {
  const list = (value as Body | null | undefined)?.[key];
  return Array.isArray(list) ? (list as Item[]) : [];
}

const ofType = (items: readonly Body[], type: string): readonly Body[] =>
  items.filter((item) => item["type"] === type);

const anthropic: Dialect = {
  isTurn: (path, body) => path.startsWith("/v1/messages") && body["stream"] === true,
  tools: (body) => listOf(body, "tools"),
  results: (body) =>
    listOf(body, "messages").flatMap((message) =>
      ofType(listOf(message, "content"), "tool_result"),
    ),
  events: (call, turn) => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const about = { id: "msg_1", type: "message", role: "assistant", model: "stand-in", usage };
    const block =
      call === undefined
        ? { type: "text", text: "" }
        : { type: "tool_use", id: `toolu_${turn}`, name: call.name, input: {} };
    const delta =
      call === undefined
        ? { type: "text_delta", text: "done" }
        : { type: "input_json_delta", partial_json: JSON.stringify(call.input) };
    const reason = call === undefined ? "end_turn" : "tool_use";
    return [
      { type: "message_start", message: { ...about, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
  },
};

const openai: Dialect = {
  isTurn: (path) => path.endsWith("/responses"),
  tools: (body) =>
    listOf<Body & OfferedTool>(body, "tools").flatMap((tool): readonly OfferedTool[] =>
      tool["type"] === "namespace" && tool.name !== undefined
        ? listOf<OfferedTool>(tool, "tools").map((one) => ({ ...one, namespace: tool.name ?? "" }))
        : [tool],
    ),
  results: (body) => ofType(listOf(body, "input"), "function_call_output"),
  events: (call, turn) => {
    const about = { id: `item_${turn}`, status: "completed" };
    const item =
      call === undefined
        ? {
            ...about,
            type: "message",
            role: "assistant",
            content: [{ type: "output_text", text: "done" }],
          }
        : {
            ...{ ...about, type: "function_call", call_id: `call_${turn}`, name: call.name },
            ...(call.namespace !== undefined && { namespace: call.namespace }),
            arguments: JSON.stringify(call.input),
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return [
      { type: "response.created", response: { id: "response_1" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "response_1", output: [item], usage } },
    ];
  },
};

const gemini: Dialect = {
  isTurn: (path) => path.includes(":streamGenerateContent"),
  tools: (body) =>
    listOf(body, "tools").flatMap((tool) => listOf<OfferedTool>(tool, "functionDeclarations")),
  results: (body) =>
    listOf(body, "contents").flatMap((content) =>
      listOf<Body>(content, "parts").filter((part) => part["functionResponse"] !== undefined),
    ),
  events: (call) => {
    const part =
      call === undefined
        ? { text: "done" }
        : { functionCall: { name: call.name, args: call.input } };
    const content = { role: "model", parts: [part] };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return [{ candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata }];
  },
};

const dialects = { anthropic, openai, gemini };

/** A model that asks its client for the calls that a test wants, and otherwise says "done". */
export class StandInModel {
  readonly #dialect: Dialect;
  #turns: Body[] = [];
  #next: NextCall = () => undefined;
  #url = "";

  private constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Listens at a loopback address until the process ends. */
  static async listen(dialect: keyof typeof dialects): Promise<StandInModel> {
    const model = new StandInModel(dialects[dialect]);
    const server = createServer((request, response) => {
      void text(request).then((body) => model.#answer(request.url ?? "", body, response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    model.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.unref();
    return model;
  }

  get url(): string {
    return this.#url;
  }

  /** Asks for a call, if any, while the client runs. @returns what it said meanwhile */
  during(run: () => Promise<unknown>, wanted?: WantedCall): Promise<Heard> {
    return this.follow(run, (results) => (results.length === 0 ? wanted : undefined));
  }

  /** Asks for one call after the other while the client runs. @returns what it said meanwhile */
  async follow(run: () => Promise<unknown>, next: NextCall): Promise<Heard> {
    this.#turns = [];
    this.#next = next;
    await run();
    const names = this.#turns.flatMap((turn) =>
      this.#dialect.tools(turn).flatMap(({ name }) => name ?? []),
    );
    return {
      tools: [...new Set(names)],
      results: this.#turns.flatMap((turn) => this.#dialect.results(turn)),
      turns: this.#turns,
    };
  }

  /** The results of calls that a turn of the client has. */
  resultsOf(turn: unknown): readonly unknown[] {
    return this.#dialect.results((turn ?? {}) as Body);
  }

  #answer(path: string, text: string, response: ServerResponse): void {
    const body = text.startsWith("{") ? (JSON.parse(text) as Body) : {};
    if (!this.#dialect.isTurn(path, body)) return void response.writeHead(404).end("{}");
    this.#turns.push(body);
    const { tools, results, events } = this.#dialect;
    const passed = results(body);
    const wanted = this.#next(passed);
    const tool = wanted && tools(body).find(({ name }) => name?.endsWith(wanted.tool));
    const call = tool && wanted && { ...tool, input: wanted.input };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events(call, passed.length + 1)) {
      const { type } = event as { readonly type?: string };
      const name = type === undefined ? "" : `event: ${type}\n`;
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }
}
