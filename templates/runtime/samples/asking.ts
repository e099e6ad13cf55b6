import { readAnswers, type Asks, type Elicitation, type FormSchema } from "../asking/definition.js";
import type { TextTemplate } from "../engine/fixed-content.js";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { createAsking } from "../asking/asking.js";
import { formImports } from "../asking/define-asks.js";
import type {
  AskingContext as CommonContext,
  Elicit,
  RootsContext,
  SamplingContext,
} from "../asking/context.js";
import type { Authentication } from "../authentication/authentication.js";
import { RequestProgress, type Caller, type HandlerContext } from "../context/context.js";
import { caller, sampleEngine, type SampleEngine } from "./engine.js";
import { erased, tool, validator } from "./server.js";

/** A tool whose handler asks the client. Tests call it without a connection, as clients of either era do. */

/** The parts of the runtime that a server needs if handlers ask the client. */
export const askingParts = {
  createHandlerRunner: createAsking,
  extendCaller: readAnswers,
  importsOf: formImports,
};

export function form(message: TextTemplate, properties: FormSchema["properties"]): Elicitation {
  const requestedSchema: FormSchema = {
    type: "object",
    properties,
    required: Object.keys(properties),
  };
  return { kind: "form", message, requestedSchema, validator: () => validator(requestedSchema) };
}

export const sampleAsks = {
  elicitations: {
    confirm: form(["Deploy to ", { argument: "env" }, "?"], { ok: { type: "boolean" } }),
    name: form(["Who are you?"], { name: { type: "string", minLength: 2 } }),
    pay: {
      kind: "url",
      message: ["Pay for ", { argument: "what" }],
      url: ["https://pay.example.com/?for=", { argument: "what" }],
    },
  },
  sampling: true,
  roots: true,
} satisfies Asks;

export interface SampleElicitations {
  confirm: Elicit<{ env: string }, { ok: boolean }>;
  name: Elicit<Record<never, never>, { name: string }>;
  pay: Elicit<{ what: string }, true>;
}

export type AskingContext = HandlerContext<unknown, unknown> &
  CommonContext &
  SamplingContext &
  RootsContext & { readonly elicit: SampleElicitations };

export type AskingHandler = (input: Record<string, unknown>, ctx: AskingContext) => unknown;

export const allCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

/** The parameters of a call, and the properties of the client that sends it. */
export interface SentCall {
  readonly arguments?: Record<string, unknown>;
  readonly inputResponses?: Record<string, unknown>;
  readonly requestState?: unknown;
  readonly capabilities?: object;
  readonly authentication?: Authentication;
  readonly era?: Caller["era"];
}

/** A server with the tools `it` and `other`, which share a handler that may ask for everything. */
export class AskingServer {
  readonly engine: SampleEngine;
  /** The log messages and the progress that the client got. */
  readonly told: unknown[] = [];
  /** The time of the server's clock, in milliseconds. */
  now = 0;

  constructor(handler: AskingHandler, ...keys: readonly string[]) {
    const code = erased(handler as never);
    const parts = { asks: sampleAsks, open: true };
    const requestStateKeys = keys.length === 0 ? {} : { requestStateKeys: keys };
    this.engine = sampleEngine(
      { tools: ["it", "other"].map((name) => tool(name, code, parts)) },
      { runner: createAsking({}, requestStateKeys, () => this.now) },
    );
  }

  /** Calls a tool once. */
  async call(sent: SentCall = {}, name = "it"): Promise<CallToolResult | InputRequiredResult> {
    const { arguments: values = {}, capabilities = allCapabilities, ...callerParts } = sent;
    return this.engine.tools.call(
      { name, arguments: values },
      {
        ...caller,
        ...callerParts,
        clientCapabilities: () => capabilities,
        sendLog: async (_level, data) => void this.told.push(data),
        progress: new RequestProgress(async (report) => void this.told.push(report.progress)),
      },
    );
  }

  /** Calls a tool. @throws Error if the result does not ask for input */
  async asked(sent: SentCall = {}): Promise<Questions> {
    const result = await this.call(sent);
    if (result["resultType"] !== "input_required") throw new Error(JSON.stringify(result));
    const { inputRequests = {}, requestState } = result as InputRequiredResult;
    return { inputRequests, keys: Object.keys(inputRequests), requestState };
  }

  /** Calls a tool. @returns the text of its result @throws Error if it has none */
  async answered(sent: SentCall = {}): Promise<string> {
    const { content } = (await this.call(sent)) as CallToolResult;
    const [block] = content ?? [];
    if (block?.type !== "text") throw new Error("no answer");
    return block.text;
  }
}

export interface Questions {
  readonly inputRequests: NonNullable<InputRequiredResult["inputRequests"]>;
  readonly keys: readonly string[];
  readonly requestState: string | undefined;
}

/** The next call of the client, which answers each question with `response(key)`. */
export function replying(
  { keys, requestState }: Questions,
  response: (key: string) => unknown,
): SentCall {
  return {
    requestState,
    inputResponses: Object.fromEntries(keys.map((key) => [key, response(key)])),
  };
}

export const accept = (content: object): object => ({ action: "accept", content });

export const named = (): object => accept({ name: "Ada" });
export const confirmed = (): object => accept({ ok: true });
export const modelAnswer = {
  role: "assistant",
  model: "m",
  content: { type: "text", text: "Paris" },
};

/** Returns the answer of a handler to a client that answers each question with these, in any number of rounds. */
export async function answerOf(
  server: AskingServer,
  response: (key: string) => unknown,
  sent: SentCall = {},
): Promise<string> {
  let next: SentCall = sent;
  for (let round = 0; round < 20; round++) {
    const result = await server.call(next);
    if (result["resultType"] !== "input_required") {
      const [block] = (result as CallToolResult).content;
      return block?.type === "text" ? block.text : "";
    }
    const { inputRequests = {}, requestState } = result as InputRequiredResult;
    next = {
      ...sent,
      ...replying({ inputRequests, keys: Object.keys(inputRequests), requestState }, response),
    };
  }
  throw new Error("it never ends");
}
