import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientOptions } from "@modelcontextprotocol/client";
import { isTooDeep } from "../backends/depth.js";
import { orStopped } from "../backends/stop-signal.js";
import type { AnyContext } from "../context/context.js";
import { resultSize } from "../engine/result-size.js";
import type { CallPlaces } from "./call-places.js";
import type { Attempt, ServerConnector } from "./definition.js";
import type { MessageLimits } from "./message-limits.js";
import type { ReceivedBytes } from "./received-bytes.js";
import type { Client, Sdk } from "./sdk.js";

/** The time limit to connect, including the handshake, in milliseconds. */
const CONNECT_TIMEOUT_MS = 30_000;

/** How long a server may take to name its era of the protocol, in milliseconds; then it is taken for an older one. */
const PROBE_TIMEOUT_MS = 10_000;

/** The number of progress reports of a call that are passed on at once. The others may be replaced by later ones. */
const MAX_PROMPT_REPORTS = 100;

/** The part of a call's context that another server's messages use. */
export type RemoteCall = Pick<AnyContext, "signal" | "log" | "progress">;

/** A call that waits for its answer. */
export class PendingCall {
  readonly #call: RemoteCall;
  readonly #limits: MessageLimits;
  #reports = 0;

  /** The bytes of the answer that have arrived. */
  readonly received: ReceivedBytes;
  /** Is aborted when the call is cancelled, its time limit is over, or the answer is lost. */
  readonly signal: AbortSignal;
  readonly #lost = new AbortController();

  /** @param timeout is aborted when the time limit is over */
  constructor(
    call: RemoteCall,
    timeout: AbortSignal,
    limits: MessageLimits,
    received: ReceivedBytes,
  ) {
    this.#call = call;
    this.received = received;
    this.#limits = limits;
    this.signal = AbortSignal.any([call.signal, timeout, this.#lost.signal]);
  }

  /** Whether the stream of the answer has ended without it. */
  get isLost(): boolean {
    return this.#lost.signal.aborted;
  }

  /** Ends the wait, because the stream of the answer has ended without it. */
  lose(): void {
    this.#lost.abort();
  }

  log(level: unknown, data: unknown): void {
    const shown = isTooDeep(data) ? "a message of another server is nested too deeply" : data;
    if (!this.#limits.takeLogMessage(shown)) return;
    const { log } = this.#call;
    const ownLevel = LEVELS.get(level) ?? "info";
    if (typeof shown === "string") log[ownLevel](shown);
    else log[ownLevel]("a message of another server", { data: shown });
  }

  /** Passes on the first progress reports at once. Of many others only the latest one is passed on, after a while. */
  report(progress: number, total?: number, message?: string): void {
    const send = (): void => void this.#call.progress(progress, total, message);
    this.#reports += 1;
    if (this.#reports <= MAX_PROMPT_REPORTS) send();
    else this.#limits.addReport(this, send);
  }

  /** Passes on the latest progress report now. */
  end(): void {
    this.#limits.sendReport(this);
  }
}

/** The levels of the runtime's log by those of the protocol. */
const LEVELS: ReadonlyMap<unknown, "debug" | "info" | "warning" | "error"> = new Map([
  ["debug", "debug"],
  ["info", "info"],
  ["notice", "info"],
  ["warning", "warning"],
  ["error", "error"],
  ["critical", "error"],
  ["alert", "error"],
  ["emergency", "error"],
]);

/** An open connection. */
export interface OpenConnection {
  readonly sdk: Sdk;
  readonly client: Client;
  /** Whether the server keeps a session for the connection; it may end the session. */
  hasSession(): boolean;
}

/** The connection to a server that all calls share. It is opened at the first call, and again after it was lost. */
export class SharedConnection {
  readonly #connector: ServerConnector;
  readonly #calls = new Set<PendingCall>();
  readonly #places: CallPlaces;
  /** The call that the current message belongs to, if each call has a stream of its own. */
  readonly #currentCall = new AsyncLocalStorage<PendingCall>();
  readonly #callOf = (): PendingCall | undefined => this.#currentCall.getStore();
  #connection: Promise<OpenConnection> | undefined;
  #isClosed = false;

  constructor(connector: ServerConnector, places: CallPlaces) {
    this.#connector = connector;
    this.#places = places;
  }

  /**
   * Waits until the server has few enough calls for another, which must then be done with {@link during}.
   * @throws the reason of the signal
   */
  waitForPlace(signal: AbortSignal): Promise<void> {
    return this.#places.take(signal);
  }

  /** Does the work of a call, which has a place: messages that it sends and receives belong to the call. */
  async during<Value>(call: PendingCall, work: () => Promise<Value>): Promise<Value> {
    this.#calls.add(call);
    let bytes = 0;
    try {
      const answer = await this.#currentCall.run(call, work);
      bytes = resultSize(answer);
      return answer;
    } finally {
      call.end();
      this.#calls.delete(call);
      this.#places.leave(bytes);
    }
  }

  /** Opens the connection if it is not open. @throws the error of the failed attempt, or the reason of the signal */
  async open(signal: AbortSignal): Promise<OpenConnection> {
    if (this.#isClosed) throw new Error("the server stops");
    signal.throwIfAborted();
    // Messages that the connection receives later do not belong to the call that opened it.
    this.#connection ??= this.#currentCall.exit(() => this.#connect());
    return orStopped(this.#connection, signal);
  }

  /** Closes a connection, so that the next call opens another. */
  drop({ client }: OpenConnection): void {
    void this.#connection?.then((connection) => {
      if (connection.client === client) this.#connection = undefined;
    });
    void client.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.client.close().catch(() => undefined);
    await this.#connector.close();
  }

  async #connect(): Promise<OpenConnection> {
    try {
      const sdk = await import("@modelcontextprotocol/client");
      return await this.#connectOrFallBack(sdk);
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  async #connectOrFallBack(sdk: Sdk): Promise<OpenConnection> {
    try {
      return await this.#attempt(sdk, this.#connector.open(sdk, this.#callOf));
    } catch (error) {
      if (this.#isClosed) throw error;
      const fallback = this.#connector.fallback(sdk, this.#callOf, error);
      if (fallback === undefined) throw error;
      return this.#attempt(sdk, fallback);
    }
  }

  async #attempt(sdk: Sdk, { transport, mode }: Attempt): Promise<OpenConnection> {
    const client = new sdk.Client(
      { name: "mcpwright-server", version: "1.0.0" },
      {
        versionNegotiation: { mode, probe: { timeoutMs: PROBE_TIMEOUT_MS } },
        inputRequired: { autoFulfill: false },
        jsonSchemaValidator: NO_VALIDATOR,
      },
    );
    client.onclose = () => {
      this.#connection = undefined;
    };
    client.setNotificationHandler("notifications/message", ({ params }) =>
      this.#recipient()?.log(params.level, params.data),
    );
    try {
      await client.connect(transport, {
        timeout: CONNECT_TIMEOUT_MS,
        maxTotalTimeout: CONNECT_TIMEOUT_MS,
      });
      await requestLogMessages(client);
    } catch (error) {
      await transport.close().catch(() => undefined);
      throw error;
    }
    return { sdk, client, hasSession: () => transport.sessionId !== undefined };
  }

  /** The call that a log message belongs to; undefined if several calls are possible. */
  #recipient(): PendingCall | undefined {
    const [firstCall] = this.#calls;
    return this.#callOf() ?? (this.#calls.size === 1 ? firstCall : undefined);
  }
}

/** The client does not validate answers: the item that returns them does. */
const NO_VALIDATOR: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** Asks a server of an older era for all log messages; a newer one is asked with each request. */
async function requestLogMessages(client: Client): Promise<void> {
  const isOlder = client.getProtocolEra() === "legacy";
  if (!isOlder || client.getServerCapabilities()?.logging === undefined) return;
  await client.setLoggingLevel("debug", { timeout: CONNECT_TIMEOUT_MS }).catch(() => undefined);
}
