import type { Transport } from "@modelcontextprotocol/client";
import { fetch as send } from "undici";
import { connectionOf, type UpstreamConnection } from "../upstreams/connection.js";
import type { Credentials } from "../upstreams/credentials.js";
import type { UpstreamDefinition } from "../upstreams/definition.js";
import { failureOf } from "../upstreams/failures.js";
import { queryText } from "../upstreams/parameters.js";
import { Settings } from "../upstreams/settings.js";
import type { Attempt, ReachServer, Sdk, ServerReach, CallOf } from "./definition.js";

declare module "./definition.js" {
  interface RemoteServerDefinition extends Partial<
    Pick<
      UpstreamDefinition,
      "auth" | "headers" | "concurrency" | "private" | "proxy" | "ca" | "cert" | "key"
    >
  > {
    /** Where it is, of a server at a URL. */
    readonly url?: Setting;
  }
}

/** Time for a connection to be made, where the upstream does not say it, in milliseconds. */
const USUAL_TIMEOUT_MS = 10_000;

/** Reaches a server at a URL. */
export const urlTransport: ReachServer = (server, { env, root, masking, maxBytes }) => {
  const { url = "", timeoutMs = USUAL_TIMEOUT_MS, private: isPrivate = false } = server;
  const definition = { ...server, baseUrl: url, timeoutMs, private: isPrivate, redirects: 0 };
  const settings = new Settings(env, root);
  const connection = connectionOf(definition, settings, masking, { longestWaitMs: 0 });
  return new UrlReach(connection, maxBytes);
};

/** Statuses of servers that know only the transport of 2024-11-05. */
const UNKNOWN_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405]);

class UrlReach implements ServerReach {
  readonly #connection: UpstreamConnection;
  readonly #maxBytes: number;
  /** Why the connection was ended; undefined where it was not. */
  #problem: string | undefined;

  constructor(connection: UpstreamConnection, maxBytes: number) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
  }

  open({ StreamableHTTPClientTransport }: Sdk, callOf: CallOf): Attempt {
    this.#problem = undefined;
    const transport: Transport = new StreamableHTTPClientTransport(this.#connection.baseUrl, {
      fetch: this.#fetchFor(() => transport, callOf),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    });
    return { transport, mode: "auto" };
  }

  otherwise(sdk: Sdk, callOf: CallOf, error: unknown): Attempt | undefined {
    if (!(error instanceof sdk.SdkHttpError)) return undefined;
    if (!UNKNOWN_TRANSPORT.has(error.status ?? 0)) return undefined;
    const fetch = this.#fetchFor(() => transport, callOf, true);
    const transport: Transport = new sdk.SSEClientTransport(this.#connection.baseUrl, {
      fetch,
      eventSourceInit: { fetch },
    });
    return { transport, mode: "legacy" };
  }

  explain(error: unknown): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    const { name, timeoutMs } = this.#connection.definition;
    const isOfConnection = error instanceof Error && error.cause !== undefined;
    if (!isOfConnection) return undefined;
    const { message } = failureOf(name, error, timeoutMs).error;
    return message.replace(`The upstream ${name} `, "").replace(/\.$/, "");
  }

  async close(): Promise<void> {
    await this.#connection.agent.destroy();
  }

  /**
   * A `fetch` that shows who calls, follows no redirect, and ends the connection where an answer is too long.
   *
   * @param listens whether the server sends all answers on one stream of its own
   */
  #fetchFor(transportOf: () => Transport, callOf: CallOf, listens = false): typeof fetch {
    return async (input, init = {}) => {
      // Nothing that is not part of an answer is of use here, so that no stream is held for it.
      if (!listens && init.method === "GET") return new Response(null, { status: 405 });
      const own = isRequest(init.body) ? callOf() : undefined;
      const signals = [init.signal, own?.signal].filter((one) => one !== undefined && one !== null);
      const sent = { ...init, signal: AbortSignal.any(signals) };
      const response = await this.#authenticated(new URL(String(input)), sent);
      if (response.body === null) return response;
      const tooLong = (): void => {
        this.#problem = `sends more than ${this.#maxBytes} bytes`;
        void transportOf().close();
      };
      return bounded(response, this.#maxBytes, tooLong, () => own?.lose());
    };
  }

  /** Once more where the credentials have expired before their time. */
  async #authenticated(url: URL, init: RequestInit): Promise<Response> {
    const { authenticator } = this.#connection;
    const signal = init.signal ?? new AbortController().signal;
    const credentials = await authenticator.credentials(signal);
    const response = await this.#sent(url, init, credentials);
    if (response.status !== 401 || !authenticator.refused(credentials)) return response;
    await response.body?.cancel();
    return this.#sent(url, init, await authenticator.credentials(signal));
  }

  async #sent(url: URL, init: RequestInit, credentials: Credentials): Promise<Response> {
    const { agent, baseUrl, headers } = this.#connection;
    const target = new URL(url);
    // What is for this server goes to no other.
    const isOwn = target.origin === baseUrl.origin;
    const query = isOwn ? queryText(credentials.query ?? {}) : "";
    if (query !== "") target.search += `${target.search === "" ? "" : "&"}${query}`;
    const { cookie } = credentials;
    const added = { ...headers, ...credentials.headers, ...(cookie !== undefined && { cookie }) };
    const all = { ...Object.fromEntries(new Headers(init.headers)), ...(isOwn && added) };
    const options = { ...init, headers: all, dispatcher: agent, redirect: "manual" };
    // The SDK takes any response that has the members of the web's.
    const response: unknown = await send(target, options as Parameters<typeof send>[1]);
    return response as Response;
  }
}

/** Whether a message wants an answer, which its call can be without once it is over. */
function isRequest(body: unknown): boolean {
  if (typeof body !== "string") return false;
  const message: unknown = JSON.parse(body);
  return typeof message === "object" && message !== null && "id" in message && "method" in message;
}

/**
 * A response that breaks off where it, or one event of it, has more bytes.
 *
 * @param ended is called once a stream has ended and its last event was read
 */
function bounded(
  { status, headers, body }: Response,
  maxBytes: number,
  tooLong: () => void,
  ended: () => void,
): Response {
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  let left = maxBytes;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (isStream && endsEvent(chunk)) left = maxBytes;
      left -= chunk.byteLength;
      if (left >= 0) return controller.enqueue(chunk);
      controller.error(new Error("too long"));
      tooLong();
    },
  });
  const later = (): void => void (isStream && setTimeout(ended, READING_MS));
  body?.pipeTo(counted.writable).then(later, later);
  return new Response(body && counted.readable, { status, headers: [...headers] });
}

/** How long the last event of a stream may take to be read, in milliseconds. */
const READING_MS = 20;

/** Whether an empty line, which ends an event, is among these bytes. */
function endsEvent(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return ["\n\n", "\r\r", "\r\n\r\n"].some((end) => bytes.includes(end));
}
