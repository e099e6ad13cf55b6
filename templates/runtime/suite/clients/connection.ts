import {
  InMemoryTransport,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Era } from "../../context/context.js";
import type { JsonObject } from "../contract.js";

/** The answer to the question of a result whether a tool may run; undefined if the result has none. */
export function consentTo(result: JsonObject, response: JsonObject): JsonObject | undefined {
  const { inputRequests = {}, requestState = null } = result;
  const [key, ...others] = Object.keys(inputRequests as JsonObject);
  if (key === undefined || others.length > 0 || !/^consent_[0-9a-f]{32}$/.test(key)) return;
  return { requestState, inputResponses: { [key]: response } };
}

export const eras: readonly Era[] = ["modern", "legacy"];

/** Thrown if the server answers with an error. */
export class AnsweredError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Waiting = (message: JSONRPCMessage) => void;

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};

/**
 * A client of a server in this process. Tests get the messages exactly as the server sent them. The SDK's client
 * would validate results, cache lists and drop unknown members.
 */
export class Connection {
  /** The notifications and requests of the server, oldest first. */
  readonly notifications: JSONRPCNotification[] = [];
  readonly #transport: InMemoryTransport;
  readonly #server: { close(): Promise<void> };
  readonly #era: Era;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  private constructor(factory: McpServerFactory, era: Era) {
    const [own, theirs] = InMemoryTransport.createLinkedPair();
    this.#era = era;
    this.#transport = own;
    this.#transport.onmessage = (message) => this.#receive(message);
    this.#server = serveStdio(factory, { transport: theirs });
  }

  /** Connects. A client of the older eras does the handshake, too. */
  static async open(factory: McpServerFactory, era: Era): Promise<Connection> {
    const connection = new Connection(factory, era);
    await connection.#transport.start();
    if (era === "legacy") await connection.#shakeHands();
    return connection;
  }

  /**
   * Returns the result of a request. Where the server asks whether a tool may run, its user agrees.
   * @throws AnsweredError if the server answers with an error
   */
  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const result = await this.requestOnce(method, params);
    const agreed = consentTo(result, { action: "accept", content: {} });
    return agreed === undefined ? result : this.requestOnce(method, { ...params, ...agreed });
  }

  /** Like {@link request}, but the user answers no question whether a tool may run. */
  async requestOnce(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const message = await new Promise<JSONRPCMessage>((resolve) => {
      this.start(method, params, resolve);
    });
    if (isJSONRPCResultResponse(message)) return message.result as JsonObject;
    if (!isJSONRPCErrorResponse(message)) throw new Error("neither a result nor an error");
    const { code, message: text, data } = message.error;
    throw new AnsweredError(code, text, data);
  }

  /** Sends a request, without waiting for the answer, and returns its id. */
  start(method: string, params: JsonObject = {}, onAnswer: Waiting = () => undefined): number {
    const id = (this.#lastId += 1);
    this.#waiting.set(id, onAnswer);
    const { _meta = {} } = params;
    const meta = { ...envelope, ...(_meta as JsonObject) };
    const sent = this.#era === "modern" ? { ...params, _meta: meta } : params;
    void this.#transport.send({ jsonrpc: "2.0", id, method, params: sent });
    return id;
  }

  /** Sends a notification. */
  async notify(method: string, params: JsonObject): Promise<void> {
    await this.#transport.send({ jsonrpc: "2.0", method, params });
  }

  /** Closes the connection, and the server at its other end. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCNotification(message)) this.notifications.push(message);
    if (!("id" in message) || typeof message.id !== "number") return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  async #shakeHands(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "contract-tests", version: "1.0.0" },
    });
    await this.#transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }
}
