import type { Transport } from "@modelcontextprotocol/client";
// By its file, as in `agent.ts` of upstreams.
import { fetch as send } from "undici/index.js";
import { connectionOf, type UpstreamConnection } from "../upstreams/connection.js";
import type { Credentials } from "../upstreams/credentials.js";
import { failureOf } from "../upstreams/failures.js";
import { queryText } from "../upstreams/parameters.js";
import { Settings } from "../upstreams/settings.js";
import { isEventStream, limitedResponse } from "./limited-response.js";
import type { Attempt, CallOf, CreateConnector, ServerConnector } from "./definition.js";
import type { Sdk } from "./sdk.js";

/** The default time limit to connect, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** Connects to a server at a URL. */
export const urlTransport: CreateConnector = (
  server,
  { env, root, masking, maxBytes, openKey },
) => {
  const { url = "", timeoutMs = DEFAULT_TIMEOUT_MS, private: isPrivate = false } = server;
  const definition = { ...server, baseUrl: url, timeoutMs, private: isPrivate, redirects: 0 };
  const settings = new Settings(env, root);
  const connection = connectionOf(definition, settings, masking, { maxWaitMs: 0, openKey });
  return new UrlConnector(connection, maxBytes);
};

/** The statuses with which servers of 2024-11-05 answer, which have another transport. */
const UNSUPPORTED_TRANSPORT_STATUSES: ReadonlySet<number> = new Set([400, 404, 405]);

class UrlConnector implements ServerConnector {
  readonly #connection: UpstreamConnection;
  readonly #maxBytes: number;
  /** Why the connection was closed, as the end of a sentence that begins with "The upstream …". */
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

  /** Connects with the transport of 2024-11-05 if the server does not support the newer one. */
  fallback(sdk: Sdk, callOf: CallOf, error: unknown): Attempt | undefined {
    if (!(error instanceof sdk.SdkHttpError)) return undefined;
    if (!UNSUPPORTED_TRANSPORT_STATUSES.has(error.status ?? 0)) return undefined;
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
    await this.#connection.close();
  }

  /**
   * A `fetch` that sends the credentials, follows no redirect, and closes the connection if an answer is too long.
   *
   * @param hasStream whether the server sends all answers on one separate stream
   */
  #fetchFor(transportOf: () => Transport, callOf: CallOf, hasStream = false): typeof fetch {
    return async (input, init = {}) => {
      // A separate stream would only bring messages that belong to no request, which are not needed.
      if (!hasStream && init.method === "GET") return new Response(null, { status: 405 });
      const call = isRequest(init.body) ? callOf() : undefined;
      const signals = [init.signal, call?.signal].filter(
        (signal) => signal !== undefined && signal !== null,
      );
      const request = { ...init, signal: AbortSignal.any(signals) };
      const response = await this.#sendWithCredentials(new URL(String(input)), request);
      if (response.ok) call?.received.begin(response.status, isEventStream(response));
      if (response.body === null) return response;
      const onTooLong = (): void => {
        this.#problem = `sends more than ${this.#maxBytes} bytes`;
        void transportOf().close();
      };
      // A response without an error has the answer, unless that comes on the separate stream.
      const onEnd = (isWhole: boolean): void => {
        if (isWhole && !isEventStream(response)) call?.received.forget();
        if (!hasStream && response.ok) call?.lose();
      };
      const onChunk = (chunk: Uint8Array): void => void (response.ok && call?.received.add(chunk));
      return limitedResponse(response, this.#maxBytes, { onTooLong, onEnd, onChunk });
    };
  }

  /** Sends a request, and sends it again with new credentials if the server refuses the first ones. */
  async #sendWithCredentials(url: URL, init: RequestInit): Promise<Response> {
    const { authenticator } = this.#connection;
    const signal = init.signal ?? new AbortController().signal;
    const credentials = await authenticator.credentials(signal);
    const response = await this.#send(url, init, credentials);
    if (response.status !== 401 || !authenticator.refused(credentials)) return response;
    await response.body?.cancel();
    return this.#send(url, init, await authenticator.credentials(signal));
  }

  async #send(url: URL, init: RequestInit, credentials: Credentials): Promise<Response> {
    const { agent, baseUrl, headers } = this.#connection;
    const target = new URL(url);
    // Credentials and headers of this server are not sent to another.
    const isSameOrigin = target.origin === baseUrl.origin;
    const query = isSameOrigin ? queryText(credentials.query ?? {}) : "";
    if (query !== "") target.search += `${target.search === "" ? "" : "&"}${query}`;
    const { cookie } = credentials;
    const serverHeaders = {
      ...{ ...headers, ...credentials.headers },
      ...(cookie !== undefined && { cookie }),
    };
    const requestHeaders = {
      ...Object.fromEntries(new Headers(init.headers)),
      ...(isSameOrigin && serverHeaders),
    };
    const options = { ...init, headers: requestHeaders, dispatcher: agent, redirect: "manual" };
    // The SDK accepts undici's response, which has the members of the global `Response`.
    const response: unknown = await send(target, options as Parameters<typeof send>[1]);
    return response as Response;
  }
}

/** Whether a message is a request, whose answer is not needed after its call has ended. */
function isRequest(body: unknown): boolean {
  if (typeof body !== "string") return false;
  const message: unknown = JSON.parse(body);
  return typeof message === "object" && message !== null && "id" in message && "method" in message;
}
