import {
  Client,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { excerpt } from "../../text/excerpt.js";
import { isJsonObject, jsonObjectOf, type JsonObject, type JsonValue } from "../../model/json.js";
import {
  LIST_NAMES,
  LISTS,
  type ListingResult,
  type ListedServer,
  type ListingLimits,
  type ListName,
  type ServerTarget,
} from "./listed-server.js";

/**
 * Connects to a server, with the newest protocol that both speak, and lists all its items. The connection is closed,
 * and a program is ended, before the promise settles. Never rejects.
 */
export async function listServer(
  target: ServerTarget,
  limits: ListingLimits,
): Promise<ListingResult> {
  const listing = new Listing(limits);
  try {
    return { listed: await listing.untilStopped(listTarget(target, listing)) };
  } catch (error) {
    return { reason: listing.reason(error) };
  } finally {
    await listing.end();
  }
}

/** The statuses of servers that do not know the Streamable HTTP transport. */
const UNKNOWN_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405]);

/** Lists a server. If a URL does not know Streamable HTTP, tries the transport of 2024-11-05. */
async function listTarget(target: ServerTarget, listing: Listing): Promise<ListedServer> {
  try {
    return await listOver(transportFor(target, listing), "auto", listing);
  } catch (error) {
    const isOther = error instanceof SdkHttpError && UNKNOWN_TRANSPORT.has(error.status);
    if (target.kind !== "url" || !isOther) throw error;
    const older = new SSEClientTransport(new URL(target.url), requestsTo(target, listing));
    return listOver(older, "legacy", listing).catch(() => {
      throw error;
    });
  }
}

async function listOver(
  transport: Transport,
  mode: "auto" | "legacy",
  listing: Listing,
): Promise<ListedServer> {
  const client = new Client(
    { name: "mcpwright", version: "1.0.0" },
    { versionNegotiation: { mode, probe: { timeoutMs: listing.limits.probeMs } } },
  );
  listing.addConnection(client, transport);
  await client.connect(transport, listing.options);
  const capabilities = (client.getServerCapabilities() ?? {}) as JsonObject;
  const instructions = client.getInstructions();
  const lists: Record<ListName, readonly JsonValue[]> = {
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
  };
  for (const name of LIST_NAMES) {
    if (Object.hasOwn(capabilities, LISTS[name].capability)) {
      lists[name] = await listing.allPages(client, name);
    }
  }
  return {
    about: jsonObjectOf(client.getServerVersion() ?? {}),
    ...(instructions !== undefined && { instructions }),
    capabilities,
    lists,
  };
}

function transportFor(target: ServerTarget, listing: Listing): Transport {
  if (target.kind === "url") {
    return new StreamableHTTPClientTransport(new URL(target.url), {
      ...requestsTo(target, listing),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    });
  }
  const [command = "", ...args] = target.command;
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: target.folder,
    env: environment(),
    stderr: "pipe",
    maxBufferSize: listing.limits.answerBytes,
  });
  // stderr is read, so that the program does not block, and its last characters explain a failure.
  transport.stderr?.on("data", (chunk: Buffer) => listing.addStderr(chunk));
  return transport;
}

function requestsTo(
  { headers }: ServerTarget & { readonly kind: "url" },
  { fetch: send }: Listing,
): { requestInit: RequestInit; fetch: Listing["fetch"] } {
  return { requestInit: { headers: { ...headers } }, fetch: send };
}

/** The environment of the program, which is that of the user's shell, since the user names the program. */
function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Ends the listing. The message says why, as the end of "the server …". */
class ListingError extends Error {}

/** A result schema that accepts any value unchanged. The client's own schemas remove unknown properties. */
const ANY_RESULT = {
  "~standard": {
    version: 1 as const,
    vendor: "mcpwright",
    validate: (value: unknown) => ({ value: value as JsonValue }),
    types: undefined as { readonly input: JsonValue; readonly output: JsonValue } | undefined,
  },
};

/** The number of characters of a program's stderr, and of an error message, that are shown. */
const SHOWN_CHARACTERS = 500;

/** One listing of a server. Its limits make sure that it ends, whatever the server does. */
class Listing {
  readonly limits: ListingLimits;
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #items = 0;
  #stderr = "";
  #connectionError: Error | undefined;
  readonly #connections: (Client | Transport)[] = [];

  constructor(limits: ListingLimits) {
    this.limits = limits;
    const seconds = limits.totalMs / 1000;
    const onTimeout = (): void =>
      this.#stopWith(`has not listed all that it has after ${seconds} seconds`);
    this.#timer = setTimeout(onTimeout, limits.totalMs);
  }

  get options(): { readonly timeout: number; readonly signal: AbortSignal } {
    return { timeout: this.limits.requestMs, signal: this.#stop.signal };
  }

  addConnection(client: Client, transport: Transport): void {
    client.onerror = (error) => this.#recordError(error);
    this.#connections.push(client, transport);
  }

  /** Closes all clients and transports, a client before its transport. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    for (const connection of this.#connections) await connection.close().catch(() => undefined);
  }

  #recordError(error: Error): void {
    if (error.message.includes("ReadBuffer exceeded")) this.#tooLarge();
    this.#connectionError ??= error;
  }

  addStderr(chunk: Buffer): void {
    this.#stderr = `${this.#stderr}${chunk.toString()}`.slice(-SHOWN_CHARACTERS);
  }

  /** The result of the work. Rejects when the listing is stopped. */
  async untilStopped<Value>(work: Promise<Value>): Promise<Value> {
    const { signal } = this.#stop;
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    // Nothing else handles a rejection of the promise that is slower.
    work.catch(() => undefined);
    stopped.catch(() => undefined);
    return Promise.race([work, stopped]);
  }

  /** The reason of a failure, as the user reads it. */
  reason(error: unknown): string {
    const { reason } = this.#stop.signal as { readonly reason: unknown };
    if (reason instanceof ListingError) return reason.message;
    if (error instanceof ListingError) return error.message;
    const message = messageOf(error);
    const connectionMessage =
      this.#connectionError === undefined ? "" : messageOf(this.#connectionError);
    const stderr = this.#stderr.trim();
    const parts = [
      `cannot be listed: ${message}`,
      ...(connectionMessage === "" || message.includes(connectionMessage)
        ? []
        : [connectionMessage]),
      ...(stderr === "" ? [] : [`its last words were: ${stderr}`]),
    ];
    return parts.join("; ");
  }

  /** All items of a list, from all its pages. @throws NotListable if it breaks a limit */
  async allPages(client: Client, name: ListName): Promise<readonly JsonValue[]> {
    const { method } = LISTS[name];
    const items: JsonValue[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method, params }, ANY_RESULT, this.options);
      const { pageItems: pageItems, next } = readPage(page, name);
      this.#items += pageItems.length;
      if (this.#items > this.limits.items) {
        throw new ListingError(`lists more than ${this.limits.items} items`);
      }
      for (const item of pageItems) items.push(item);
      if (next !== undefined && seen.has(next)) {
        throw new ListingError(`answers ${method} with pages that lead in a circle`);
      }
      if (next !== undefined) seen.add(next);
      if (seen.size >= this.limits.pages) {
        throw new ListingError(`answers ${method} with more than ${this.limits.pages} pages`);
      }
      cursor = next;
    } while (cursor !== undefined);
    return items;
  }

  /** A `fetch` that follows no redirect, and stops the listing if an answer is too large. */
  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const to = response.headers.get("location") ?? "another address";
      this.#stopWith(`sends to ${to}, and redirects are not followed`);
    }
    if (response.body === null) return response;
    let bytesLeft = this.limits.answerBytes;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytesLeft -= chunk.byteLength;
        if (bytesLeft >= 0) return controller.enqueue(chunk);
        this.#tooLarge();
        controller.error(new Error("too large"));
      },
    });
    return new Response(response.body.pipeThrough(counted), response);
  };

  #tooLarge(): void {
    this.#stopWith(`sends an answer of more than ${this.limits.answerBytes} bytes`);
  }

  #stopWith(reason: string): void {
    this.#stop.abort(new ListingError(reason));
  }
}

interface Page {
  readonly pageItems: readonly JsonValue[];
  readonly next?: string;
}

/** @throws NotListable if the answer is no page of that list */
function readPage(page: JsonValue, name: ListName): Page {
  const { method } = LISTS[name];
  const pageItems = isJsonObject(page) ? page[name] : undefined;
  if (!isJsonObject(page) || !Array.isArray(pageItems)) {
    throw new ListingError(`answers ${method} with no list of ${name}`);
  }
  const next = page["nextCursor"];
  if (next === undefined || next === null) return { pageItems: pageItems };
  if (typeof next !== "string")
    throw new ListingError(`answers ${method} with a cursor that is no text`);
  return { pageItems: pageItems, next };
}

const NO_MESSAGE = "it sends what is no message of the protocol";

/** The message of an error and of its cause, since the message of `fetch` does not contain the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Such an error lists every key of every kind of message, which is too long to be useful.
  if (error.name === "ZodError" || error.name === "$ZodError") return NO_MESSAGE;
  const { cause } = error;
  const inner = cause instanceof Error ? messageOf(cause) : "";
  const { code } = error as NodeJS.ErrnoException;
  const ownMessage =
    error.message === "" ? (code ?? error.name) : excerpt(error.message, SHOWN_CHARACTERS);
  return inner === "" || ownMessage.includes(inner) ? ownMessage : `${ownMessage} (${inner})`;
}
