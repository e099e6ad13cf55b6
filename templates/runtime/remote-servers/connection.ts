import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientOptions } from "@modelcontextprotocol/client";
import { orStopped } from "../backends/stop-signal.js";
import type { AnyContext } from "../context/context.js";
import type { Attempt, Client, Sdk, ServerReach } from "./definition.js";

/** Time for a connection, from its start to the end of the handshake, in milliseconds. */
const CONNECT_MS = 30_000;

/** Time for a server to say which era it speaks; a silent program is asked in the older way then. */
const PROBE_MS = 10_000;

/** Messages for the log and reports of progress that are passed on of one call. */
const MOST_MESSAGES = 10_000;

/** The part of a call's context that another server's answer touches. */
export type RemoteCall = Pick<AnyContext, "signal" | "log" | "progress">;

/** A call that waits for its answer. */
export class PendingCall {
  readonly #call: RemoteCall;
  #messages = 0;

  /** Ends the wait for the answer. */
  readonly signal: AbortSignal;
  readonly #lost = new AbortController();

  /** @param limit the time that there is */
  constructor(call: RemoteCall, limit: AbortSignal) {
    this.#call = call;
    this.signal = AbortSignal.any([call.signal, limit, this.#lost.signal]);
  }

  /** Whether no answer can come any more. */
  get isLost(): boolean {
    return this.#lost.signal.aborted;
  }

  /** The stream of the answer has ended: what has not come yet never will. */
  lose(): void {
    this.#lost.abort();
  }

  log(level: unknown, data: unknown): void {
    if (!this.#mayPass()) return;
    const { log } = this.#call;
    const name = LEVELS.get(level) ?? "info";
    if (typeof data === "string") log[name](data);
    else log[name]("a message of another server", { data });
  }

  report(progress: number, total?: number, message?: string): void {
    if (this.#mayPass()) void this.#call.progress(progress, total, message);
  }

  #mayPass(): boolean {
    this.#messages += 1;
    return this.#messages <= MOST_MESSAGES;
  }
}

/** The protocol's levels by those of the runtime's log. */
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
  /** Whether the server keeps a session for it, which it may forget. */
  hasSession(): boolean;
}

/** The one connection to a server: opened at the first call, kept, and opened again after it was lost. */
export class KeptConnection {
  readonly #reach: ServerReach;
  readonly #calls = new Set<PendingCall>();
  /** The call in whose name something arrives, where each call has a stream of its own. */
  readonly #current = new AsyncLocalStorage<PendingCall>();
  readonly #callOf = (): PendingCall | undefined => this.#current.getStore();
  #open: Promise<OpenConnection> | undefined;
  #isClosed = false;

  constructor(reach: ServerReach) {
    this.#reach = reach;
  }

  /** Does something in the name of a call. */
  async during<Value>(call: PendingCall, work: () => Promise<Value>): Promise<Value> {
    this.#calls.add(call);
    try {
      return await this.#current.run(call, work);
    } finally {
      this.#calls.delete(call);
    }
  }

  /** @throws what the connection fails with, or the reason of the signal */
  async open(signal: AbortSignal): Promise<OpenConnection> {
    if (this.#isClosed) throw new Error("the server stops");
    signal.throwIfAborted();
    // What a connection receives later is not received in the name of the call that opened it.
    this.#open ??= this.#current.exit(() => this.#connected());
    return orStopped(this.#open, signal);
  }

  /** Forgets a connection, so that the next call opens another. */
  drop({ client }: OpenConnection): void {
    void this.#open?.then((open) => {
      if (open.client === client) this.#open = undefined;
    });
    void client.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = await this.#open?.catch(() => undefined);
    await open?.client.close().catch(() => undefined);
    await this.#reach.close();
  }

  async #connected(): Promise<OpenConnection> {
    try {
      const sdk = await import("@modelcontextprotocol/client");
      return await this.#firstWay(sdk);
    } catch (error) {
      this.#open = undefined;
      throw error;
    }
  }

  async #firstWay(sdk: Sdk): Promise<OpenConnection> {
    try {
      return await this.#connect(sdk, this.#reach.open(sdk, this.#callOf));
    } catch (error) {
      const other = this.#isClosed ? undefined : this.#reach.otherwise(sdk, this.#callOf, error);
      if (other === undefined) throw error;
      return this.#connect(sdk, other);
    }
  }

  async #connect(sdk: Sdk, { transport, mode }: Attempt): Promise<OpenConnection> {
    const client = new sdk.Client(
      { name: "mcpwright-server", version: "1.0.0" },
      {
        versionNegotiation: { mode, probe: { timeoutMs: PROBE_MS } },
        inputRequired: { autoFulfill: false },
        jsonSchemaValidator: NO_VALIDATOR,
      },
    );
    client.onclose = () => {
      this.#open = undefined;
    };
    client.setNotificationHandler("notifications/message", ({ params }) =>
      this.#hearer()?.log(params.level, params.data),
    );
    try {
      await client.connect(transport, { timeout: CONNECT_MS, maxTotalTimeout: CONNECT_MS });
      await askForMessages(client);
    } catch (error) {
      await transport.close().catch(() => undefined);
      throw error;
    }
    return { sdk, client, hasSession: () => transport.sessionId !== undefined };
  }

  /** The call that a message belongs to; undefined where it might be that of several. */
  #hearer(): PendingCall | undefined {
    const [only, ...others] = this.#calls;
    return this.#callOf() ?? (others.length === 0 ? only : undefined);
  }
}

/** Answers are checked by the item that passes them on. */
const NO_VALIDATOR: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** Servers of the older eras are told once that all messages are wanted; newer ones with each request. */
async function askForMessages(client: Client): Promise<void> {
  const isOlder = client.getProtocolEra() === "legacy";
  if (!isOlder || client.getServerCapabilities()?.logging === undefined) return;
  await client.setLoggingLevel("debug", { timeout: CONNECT_MS }).catch(() => undefined);
}
