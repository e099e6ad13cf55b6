import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Transport,
} from "@modelcontextprotocol/server";
import type { JsonObject } from "../contract.js";

/** The answer of a stand-in to a request. */
export type RemoteAnswer =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: number; readonly message: string } };

/** A request to a stand-in, without `_meta`. */
export interface RemoteRequest {
  /** The name of the server that it replaces. */
  readonly server: string;
  /** The method of the request. */
  readonly method: string;
  /** The parameters, without `_meta`. */
  readonly params: JsonObject;
}

/** Replaces all MCP servers that handlers use. Tests use no real one. */
export class StandInServer {
  #answer: RemoteAnswer = { result: {} };
  #requests: RemoteRequest[] = [];

  /** Sets the answer to the next requests. */
  play(answer: RemoteAnswer): void {
    this.#answer = answer;
    this.#requests = [];
  }

  /** The requests since the answer was set. */
  get requests(): readonly RemoteRequest[] {
    return this.#requests;
  }

  /** The option of `createServer` and `createTestContext` that uses it. */
  readonly connect = (server: string): Transport => {
    return new StandInTransport((method, params) => {
      const { _meta, ...rest } = params;
      this.#requests.push({ server, method, params: rest as JsonObject });
      return this.#answer;
    });
  };
}

type Respond = (method: string, params: JsonObject) => RemoteAnswer;

/** Answers the handshake of the older eras. */
function handshake({ protocolVersion }: JsonObject): RemoteAnswer {
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const serverInfo = { name: "stand-in", version: "1.0.0" };
  return { result: { protocolVersion: protocolVersion ?? "", capabilities, serverInfo } };
}

class StandInTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #respond: Respond;

  constructor(respond: Respond) {
    this.#respond = respond;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) setImmediate(() => this.#reply(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #reply({ id, method, params = {} }: JSONRPCRequest): void {
    const given = params as JsonObject;
    const answer = method === "initialize" ? handshake(given) : this.#respond(method, given);
    this.onmessage?.({ jsonrpc: "2.0", id, ...answer });
  }
}
