import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { projectFolder, serverEnvironment, type ServerContract } from "../contract.js";
import { ServerStderr } from "./server-stderr.js";
import { withUsualTraffic } from "./traffic-limits.js";

/** `modern` is protocol 2026-07-28, `legacy` the ones before it, with their handshake. */
export type Era = "modern" | "legacy";

/** The part of a server that answers HTTP requests: `createServer(…).fetch`. */
export type Fetch = (request: Request) => Promise<Response>;

/** What tests need for the transports that only some projects have. */
export interface ClientParts {
  readonly tls?: TestTls;
}

export interface TestTls {
  /** The certificate that clients must trust, as PEM. */
  readonly authority: string;
  /** Writes the certificate and its key into a folder of their own; the paths are absolute. */
  writeFiles(): { readonly folder: string; readonly cert: string; readonly key: string };
  /** `fetch` that trusts the certificate. */
  readonly fetch: Fetch;
}

/** A client, and what its server has to say beside the protocol. */
export interface ConnectedServer {
  readonly client: Client;
  readonly stderr: ServerStderr;
}

/** Connects to the built server over one of its transports. */
export type Connect = (era: Era, contract: ServerContract) => Promise<ConnectedServer>;

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

/** The built server, from the project's folder. */
export const entry = "dist/src/main.js";
const openThings: (() => unknown)[] = [];

/** Closes every client and process that the functions of this module opened: for `test.after`. */
export async function closeAll(): Promise<void> {
  await Promise.all(openThings.splice(0).map((close) => close()));
}

/** Has a thing closed by {@link closeAll}. */
export function closeLater(close: () => unknown): void {
  openThings.push(close);
}

/**
 * Of the SDK's own class a client starts two processes: one to ask for the protocol version, whose
 * stderr is lost, and one to talk to. Of any other class it starts one.
 */
class SingleProcessTransport extends StdioClientTransport {}

/** A client of the built server, which it starts with `--stdio`. */
export async function connectStdio(era: Era, contract: ServerContract): Promise<ConnectedServer> {
  const transport = new SingleProcessTransport({
    command: process.execPath,
    args: [...withUsualTraffic(contract), entry, "--stdio"],
    cwd: fileURLToPath(projectFolder),
    env: serverEnvironment(contract),
    stderr: "pipe",
  });
  const stderr = new ServerStderr(transport.stderr as Readable, contract.environment);
  const client = await stderr.explain(() => connect(transport, era));
  return { client, stderr };
}

/**
 * A client of a server that listens at the URL.
 * @param send Sends the requests, where it is not to be the usual `fetch`.
 */
export function connectHttp(url: string, era: Era, send: Fetch = fetch): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (input, init) => send(new Request(input, init)),
  });
  return connect(transport, era);
}

/** A client of a server in this process. */
export function connectTo(fetch: Fetch, era: Era): Promise<Client> {
  return connectHttp("http://localhost/mcp", era, fetch);
}

/** A client on a transport that is not started yet. */
export async function connect(transport: Transport, era: Era): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(
    { name: "contract-tests", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  openThings.push(() => client.close());
  await client.connect(transport);
  return client;
}

/** A JSON-RPC request of protocol 2026-07-28 with the headers and the envelope that it needs. */
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

/** Sends a request as it is, and reads the answer off the wire. */
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
