import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { createAsking } from "../asking/asking.js";
import { createConsent } from "../consent/consent.js";
import { MemoryNonces, type Nonces } from "../consent/nonces.js";
import { allCapabilities, sampleAsks, type AskingHandler, type SentCall } from "./asking.js";
import { caller, sampleEngine, type SampleEngine } from "./engine.js";
import { erased, tool } from "./server.js";

/** A question whether a tool may run, and the state that must come back with the answer. */
export interface Consent {
  readonly key: string;
  readonly message: string;
  readonly requestState: string;
}

/**
 * A server whose tools run only if the user consents: `delete` with the alias `remove`, `burn` with the same question, and
 * `ask`, whose handler asks further.
 */
export class ConsentServer {
  readonly engine: SampleEngine;
  /** The arguments with which handlers have run. */
  readonly ran: unknown[] = [];
  /** The time of the server's clock, in milliseconds. */
  now = 0;

  constructor(
    nonces?: Nonces,
    keys: readonly string[] = ["k".repeat(32)],
    ask: AskingHandler = async (_input, ctx) => (await ctx.elicit.name()).name,
  ) {
    const now = (): number => this.now;
    const options = { requestStateKeys: keys, nonces: nonces ?? new MemoryNonces(now) };
    const code = erased((input) => {
      this.ran.push(input);
      return "done";
    });
    const asking = erased(async (...args) => {
      const answer: unknown = await (ask as (...args: unknown[]) => unknown)(...args);
      this.ran.push(answer);
      return String(answer);
    });
    const confirm = ["Delete ", { argument: "path" }, " for good?"];
    const parts = { confirm, open: true };
    const tools = [
      tool("delete", code, { ...parts, aliases: ["remove"] }),
      tool("burn", code, parts),
      tool("ask", asking, { ...parts, asks: sampleAsks }),
      tool("plain", code, { open: true }),
    ];
    const runner = createConsent(createAsking({}, options, now), options, now);
    this.engine = sampleEngine({ tools }, { runner });
  }

  /** Calls a tool once. */
  async call(sent: SentCall = {}, name = "delete"): Promise<CallToolResult | InputRequiredResult> {
    const { arguments: values = { path: "/a" }, capabilities = allCapabilities, ...parts } = sent;
    const sender = { ...caller, ...parts, clientCapabilities: () => capabilities };
    return this.engine.tools.call({ name, arguments: values }, sender);
  }

  /** Calls a tool. @returns the question to the user @throws Error if there is none */
  async asked(sent: SentCall = {}, name = "delete"): Promise<Consent> {
    return consentIn(await this.call(sent, name));
  }
}

/** The question of a result. @throws Error if it has none */
export function consentIn(result: CallToolResult | InputRequiredResult): Consent {
  const { inputRequests = {}, requestState = "" } = result as InputRequiredResult;
  const [[key, request] = ["", undefined], ...others] = Object.entries(inputRequests);
  if (request === undefined || others.length > 0) throw new Error(JSON.stringify(result));
  const { message } = request.params as { readonly message: string };
  return { key, message, requestState };
}

/** What a client sends back. By default, the user consents. */
export function answering({ key, requestState }: Consent, response: unknown = YES): SentCall {
  return { requestState, inputResponses: { [key]: response } };
}

/** The answer of a user who consents. */
export const YES = { action: "accept", content: {} };
