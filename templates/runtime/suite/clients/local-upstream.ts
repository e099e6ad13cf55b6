import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../contract.js";

/** The answer of an upstream in a test. */
export interface PlayedAnswer {
  /** The HTTP status; 200 by default. */
  readonly status?: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, as JSON. */
  readonly body?: Json;
  /** The body as text, instead of JSON. */
  readonly text?: string;
}

/** A request that an upstream has received. */
export interface ReceivedRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there was none. */
  readonly body: string;
}

/** The access token that clients get. */
export const ACCESS_TOKEN = "a-token-of-the-tests";

/** A service on this machine that records requests and gives the answers of a test. */
export class LocalUpstream {
  /** The answers, in their order. The last one is repeated. */
  answers: readonly PlayedAnswer[] = [];
  /** The requests, without those for access tokens. */
  readonly requests: ReceivedRequest[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Starts to listen on a free port of this machine. */
  static async open(): Promise<LocalUpstream> {
    const upstream = new LocalUpstream();
    await new Promise<void>((resolve) => {
      upstream.#server.listen(0, "127.0.0.1", resolve);
    });
    // A test that fails before it closes this server must not delay the end of the process.
    upstream.#server.unref();
    return upstream;
  }

  /** Its origin, such as `http://127.0.0.1:50000`. */
  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Removes the recorded requests and sets the next answers. */
  play(answers: readonly PlayedAnswer[]): void {
    this.answers = answers;
    this.requests.length = 0;
  }

  /** Ends its connections and stops listening. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (
      /grant_type=(?:client_credentials|authorization_code|urn%3Aietf%3Aparams%3Aoauth)/.test(body)
    ) {
      return sendJson(response, 200, { access_token: ACCESS_TOKEN, token_type: "Bearer" });
    }
    const { method = "", url: target = "" } = request;
    const answer = this.answers[this.requests.length] ?? this.answers.at(-1) ?? {};
    this.requests.push({ method, target, headers: flat(request), body });
    send(response, answer);
  }
}

function flat({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = ""]) => [name, [value].flat().join(", ")]),
  );
}

function send(response: ServerResponse, answer: PlayedAnswer): void {
  const { status = 200, headers = {}, body, text } = answer;
  if (body !== undefined) return sendJson(response, status, body, headers);
  response.writeHead(
    status,
    text === undefined ? headers : { "content-type": "text/plain", ...headers },
  );
  response.end(text);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
