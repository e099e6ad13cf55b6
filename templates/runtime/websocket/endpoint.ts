import type { Endpoint, MakeEndpoint, Page, UpgradePage, Refusal } from "../http/transport.js";
import type { IncomingMessage } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCErrorResponse, JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { WebSocket, WebSocketServer, type RawData, type Server as SocketServer } from "ws";
import type { Authentication } from "../authentication/authentication.js";
import { toAuthInfo } from "../authentication/auth-info.js";
import { serveConnection, type Connection } from "../connections/connection.js";
import { handleMessage } from "../connections/guarded-messages.js";
import { messageIn } from "../connections/incoming-message.js";
import type { RunningServer } from "../server/create-server.js";
import type { WebSocketDefinition } from "../http/definition.js";
import { after, type Awaitable } from "../engine/awaitable.js";
import { ProtocolError } from "../engine/errors.js";
import { jsonOf } from "../engine/long-texts.js";
import { answerToRefused, invalidMessage } from "../engine/protocol-errors.js";
import { insufficientScope } from "../authentication/access.js";
import { Slots } from "../http/slots.js";
import { answerMemory, connectionOf } from "../http/answer-memory.js";
import { connectionMemory } from "../memory/connection-memory.js";
import { HttpGate } from "../http/node-gate.js";
import { endConnection } from "../http/linger.js";
import { parseMessage, withoutMark } from "../engine/message-json.js";
import { holdsMoreThan } from "../engine/json-size.js";
import { limitInWords, type LimitName } from "../engine/limits.js";
import type { ExceededLimit } from "../observe/refusals.js";
import { tooManyClients, tooManyRequests } from "../http/gate.js";
import { writeMs } from "../start/transport.js";
import { WebSocketRate } from "./message-rate.js";

/** The subprotocol that MCP clients request. The MCP specification does not define WebSocket. */
const subprotocol = "mcp";

/** Time between two pings of a client, in milliseconds. */
const heartbeatMs = 30_000;

/** Most bytes that a client may leave unread. With more it is disconnected, since it would fill the memory. */
const mostUnread = 64 * 1024 * 1024;

/** Status codes for closing a socket. */
const closeCode = { goingAway: 1001, unsupportedData: 1003, policyViolation: 1008, tooBig: 1009 };

/** A socket that says which limit a message exceeds when it is closed for that. */
class LimitedSocket extends WebSocket {
  /** The limit of messages in words. */
  messageLimit?: string;

  override close(code?: number, reason?: string | Buffer): void {
    const isUnsaid = code === closeCode.tooBig && reason === undefined;
    super.close(code, isUnsaid ? `message too large (${this.messageLimit})` : reason);
  }
}

/** The WebSocket transport for clients of every era. Each text frame is a message. */
export const webSocketEndpoint: MakeEndpoint<WebSocketDefinition> = (server, definition) =>
  new WebSocketEndpoint(server, definition);

class WebSocketEndpoint implements Endpoint {
  readonly definition: WebSocketDefinition;
  readonly pages: ReadonlyMap<string, Page>;
  readonly upgradePages: ReadonlyMap<string, UpgradePage>;
  readonly #server: RunningServer;
  readonly #gate: HttpGate;
  readonly #sockets: SocketServer<typeof LimitedSocket>;
  readonly #clients = new Map<WebSocket, Connection>();
  readonly #slots: Slots;

  constructor(server: RunningServer, definition: WebSocketDefinition) {
    this.definition = definition;
    this.#server = server;
    this.#gate = new HttpGate(server, definition);
    const { bodyBytes, sessions } = server.limits;
    this.#slots = new Slots(sessions);
    const labels = { transport: "websocket" };
    server.metrics?.gauge(
      "mcp_server_clients",
      "Connected clients.",
      () => this.#clients.size,
      labels,
    );
    this.#sockets = new WebSocketServer({
      noServer: true,
      WebSocket: LimitedSocket,
      clientTracking: false,
      maxPayload: bodyBytes,
      // A compressed message could grow to any size, and costs memory for each client.
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
    });
    this.pages = new Map<string, Page>([
      [
        definition.path,
        (request, response) => {
          if (!this.#gate.admitOrRefuse(request, response, ["GET"])) return;
          const headers = { upgrade: "websocket", connection: "upgrade" };
          this.#gate.sendError(request, response, {
            status: 426,
            message: "Upgrade required",
            headers,
          });
        },
      ],
    ]);
    this.upgradePages = new Map<string, UpgradePage>([
      [definition.path, (...upgrade) => this.#accept(...upgrade)],
    ]);
  }

  stop(): void {
    this.#gate.close();
  }

  async answered(): Promise<void> {
    const connections = [...this.#clients.values()];
    await Promise.all(connections.map(({ unanswered }) => unanswered.doneWithin(writeMs)));
  }

  async end(): Promise<void> {
    await Promise.all([...this.#clients].map(([socket, connection]) => hangUp(socket, connection)));
  }

  #accept(request: IncomingMessage, socket: Duplex, head: Buffer): Awaitable<void> {
    const refusal = this.#gate.refusal(request);
    if (refusal !== undefined) return this.#refuse(request, socket, refusal);
    const upgrade = (caller?: Authentication): void => {
      const holder = this.#gate.holderOf(request, caller);
      const slot = this.#slots.take({ holder, end: () => socket.destroy() });
      if (slot === undefined) {
        return this.#refuse(request, socket, tooManyClients(this.#server.limits), caller);
      }
      socket.once("close", slot.release);
      this.#sockets.handleUpgrade(request, socket, head, (client) =>
        this.#serve(client, request, caller, holder),
      );
    };
    if (this.#gate.isOpen) return upgrade();
    return after(this.#gate.identify(request), (sender) => {
      if (socket.destroyed) return;
      if (sender.kind === "refused") this.#refuse(request, socket, sender.refusal);
      else upgrade(sender.caller);
    });
  }

  #refuse(
    request: IncomingMessage,
    socket: Duplex,
    refusal: Refusal,
    caller?: Authentication,
  ): void {
    this.#gate.reportRefusal(request, refusal, { caller });
    refuseUpgrade(socket, refusal);
  }

  #serve(
    client: LimitedSocket,
    request: IncomingMessage,
    caller: Authentication | undefined,
    holder: string,
  ): void {
    client.messageLimit = limitInWords(this.#server.limits, "bodyBytes");
    const rate = new WebSocketRate(this.#gate.meter(request, caller));
    const from = { caller, address: this.#gate.callerAddressOf?.(request) };
    const exceed = (limit: LimitName): ExceededLimit =>
      this.#gate.exceededBy(request, { limit }, caller);
    const options = { server: this.#server, ...from, rate, exceed };
    const transport = new WebSocketTransport(client, options);
    const memoryOf = connectionMemory(
      transport,
      answerMemory,
      connectionOf(request.socket, this.#gate.addressOf(request), this.#gate.reportNoMemory),
    );
    const connection = serveConnection(this.#server, transport, "websocket", {
      client: {
        ...{ address: from.address, holder, memoryOf },
        ...(caller && { authInfo: toAuthInfo(caller) }),
      },
    });
    this.#server.definition.limitQuestions?.(this.#server, transport, holder);
    const expire = (): void =>
      client.close(closeCode.policyViolation, "the credentials are not valid any more");
    client.on("close", this.#gate.streams.follow(request, caller, expire));
    this.#clients.set(client, connection);
    client.on("close", () => this.#clients.delete(client));
    closeWhenSilent(client);
  }
}

/** Disconnects a client that does not answer a ping before the next one. */
function closeWhenSilent(client: WebSocket): void {
  let hasAnswered = true;
  client.on("pong", () => (hasAnswered = true));
  const timer = setInterval(() => {
    if (!hasAnswered) return client.terminate();
    hasAnswered = false;
    client.ping();
  }, heartbeatMs).unref();
  client.on("close", () => clearInterval(timer));
}

/** Closes a connection. A client that does not confirm that within `writeMs` is disconnected. */
async function hangUp(client: WebSocket, connection: Connection): Promise<void> {
  const closed = new Promise((resolve) => client.once("close", resolve));
  await connection.close();
  await Promise.race([closed, delay(writeMs, undefined, { ref: false })]);
  client.terminate();
}

/** Refuses the request for a WebSocket, and closes its connection. */
function refuseUpgrade(socket: Duplex, { status, message, headers = {} }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message } });
  const allHeaders = {
    ...headers,
    connection: "close",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? message}`;
  endConnection(socket, [start, ...lines, "", body].join("\r\n"));
}

interface WebSocketOptions {
  readonly server: RunningServer;
  /** The caller who opened the socket; undefined if callers are not authenticated. */
  readonly caller: Authentication | undefined;
  /** The client's address; undefined if nothing records it. */
  readonly address: string | undefined;
  /** The rate limit for the client's messages. */
  readonly rate: WebSocketRate;
  /** A limit that the client exceeds. */
  readonly exceed: (limit: LimitName) => ExceededLimit;
}

/** The SDK's transport over one socket. */
class WebSocketTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #socket: WebSocket;
  readonly #options: WebSocketOptions;

  constructor(socket: WebSocket, options: WebSocketOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  start(): Promise<void> {
    this.#socket.on("message", (data: RawData, isBinary: boolean) => this.#receive(data, isBinary));
    this.#socket.on("error", (error) => {
      if (isTooLong(error)) this.#reportClosed(closeCode.tooBig, "bodyBytes");
      this.onerror?.(error);
    });
    this.#socket.on("close", () => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket.bufferedAmount > mostUnread) {
      this.#socket.terminate();
      return Promise.reject(new Error("the client does not read what it is sent"));
    }
    this.#options.rate.sends(message);
    // Waiting until it is sent would keep the message in memory, in addition to its bytes.
    const json = jsonOf(message, (short) => JSON.stringify(short));
    const frames = typeof json === "string" ? [Buffer.from(json)] : json;
    for (const frame of frames) {
      const fin = frame === frames.at(-1);
      this.#socket.send(frame, { binary: false, fin }, () => undefined);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#socket.close(closeCode.goingAway);
    return Promise.resolve();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (isBinary) return this.#socket.close(closeCode.unsupportedData, "text frames only");
    const { limits } = this.#options.server;
    if (holdsMoreThan(data as Buffer, limits.elements)) {
      this.#reportClosed(closeCode.policyViolation, "elements");
      const reason = `too many elements (${limitInWords(limits, "elements")})`;
      return this.#socket.close(closeCode.policyViolation, reason);
    }
    let value: unknown;
    try {
      const { convertMessage } = this.#options.server.definition;
      const message = withoutMark(data as Buffer);
      value = parseMessage((convertMessage?.(message) ?? message).toString("utf8"));
    } catch (error) {
      this.onerror?.(error as Error);
      return this.#socket.close(closeCode.policyViolation, "not a JSON-RPC message");
    }
    handleMessage(value, this, this.#options.server.log, () => this.#take(value));
  }

  /** Reports that the socket is closed, since its client exceeds a limit. */
  #reportClosed(status: number, limit: LimitName): void {
    const { server, caller, address, exceed } = this.#options;
    const refusal = { status, reason: "Message too large", address, principal: caller?.principal };
    server.refusals.report("websocket", refusal, { exceeded: exceed(limit) });
  }

  #take(value: unknown): void {
    const { server, caller, rate } = this.#options;
    const wait = rate.receives(value);
    if (wait > 0) {
      const { message } = tooManyRequests(server.limits, wait);
      const error = new ProtocolError(429, message, { retryAfter: wait });
      return this.#refuse(value, 429, error, this.#options.exceed("ratePerSecond"));
    }
    const message = messageIn(value);
    if (message === undefined) return this.#refuse(value, 400, invalidMessage);
    const scopes = server.access?.unmetScopes(message, caller);
    if (scopes !== undefined) return this.#refuse(message, 403, insufficientScope(scopes));
    this.onmessage?.(message);
  }

  /** Refuses a message, or what is none. The client gets an error, unless it sent a notification or an answer. */
  #refuse(
    value: unknown,
    status: number,
    { code, message, data }: JSONRPCErrorResponse["error"],
    exceeded?: ExceededLimit,
  ): void {
    const { server, caller, address } = this.#options;
    const refusal = { status, reason: message, code, address, principal: caller?.principal };
    server.refusals.report("websocket", refusal, {
      message: value,
      ...(exceeded && { exceeded }),
    });
    const answer = answerToRefused(value, { code, message, data });
    if (answer !== undefined) this.send(answer).catch(() => undefined);
  }
}

/** Whether a socket failed since its client sent a message that is too long. */
function isTooLong(error: Error & { readonly code?: string }): boolean {
  return error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
}
