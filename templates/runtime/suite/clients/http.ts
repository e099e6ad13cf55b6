import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import type { JsonObject } from "../contract.js";
import { connect } from "./harness.js";
import type { Era } from "../../context/context.js";

/** The part of a server that answers HTTP requests: `createServer(…).fetch`. */
export type Fetch = (request: Request) => Promise<Response>;

export interface TestTls {
  /** The certificate that clients must trust, in PEM. */
  readonly authority: string;
  /** Writes the certificate and its key into a new folder. Returns absolute paths. */
  writeFiles(): { readonly folder: string; readonly cert: string; readonly key: string };
  /** A `fetch` that trusts the certificate. */
  readonly fetch: Fetch;
}

/** The answer to a raw HTTP request. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON-RPC message: the body, or the last event of a stream. */
  readonly message: {
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
}

/**
 * Connects a client to a server that listens at a URL.
 * @param send Sends the requests; by default, `fetch`.
 */
export function connectHttp(url: string, era: Era, send: Fetch = fetch): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (input, init) => send(new Request(input, init)),
  });
  return connect(transport, era);
}

/** Connects a client to a server in this process. */
export function connectTo(fetch: Fetch, era: Era): Promise<Client> {
  return connectHttp("http://localhost/mcp", era, fetch);
}

/** Makes a JSON-RPC request of protocol 2026-07-28 with the required headers and envelope. */
export function modernRequest(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Request {
  const name = params["name"] ?? params["uri"];
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && /^[ -~]*$/.test(name) ? { "mcp-name": name } : {}),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: envelope },
    }),
  });
}

/** Sends a request unchanged and reads the raw answer. */
export async function sendRaw(request: Request, send: Fetch = fetch): Promise<RawAnswer> {
  const response = await send(request);
  const { status, headers } = response;
  const text = await response.text();
  const isStream = headers.get("content-type")?.startsWith("text/event-stream");
  const lastEvent = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1];
  return { status, headers, text, message: parseMessage(isStream ? (lastEvent ?? "") : text) };
}

function parseMessage(json: string): RawAnswer["message"] {
  try {
    return JSON.parse(json) as RawAnswer["message"];
  } catch {
    return {};
  }
}

/** Returns the origin of a page that may not call a transport, since the manifest does not allow it. */
export function foreignOrigin({ allowedOrigins = [] }: JsonObject): string {
  const exact = (allowedOrigins as string[]).filter((origin) => URL.canParse(origin));
  const allowed = new Set(exact.map((origin) => new URL(origin).origin));
  const names = ["attacker", ...Array.from(allowed, (_, index) => `attacker-${index}`)];
  const origins = names.map((name) => `http://${name}.example`);
  return origins.find((origin) => !allowed.has(origin)) ?? "";
}
