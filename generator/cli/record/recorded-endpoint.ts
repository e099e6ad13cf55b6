import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { headersProblem, HttpGuards } from "../../../templates/runtime/http/guards.js";
import { isSecretKey } from "../../record/secrets.js";
import { LONGEST_MESSAGE, type Recorder } from "../../record/recorder.js";
import { answerTexts } from "./answer-texts.js";

/** The longest body that is passed on, in bytes, as generated servers have it. */
const LONGEST_BODY = 4 * 1024 * 1024;
/** The path at which clients reach the server. */
const PATH = "/mcp";
const HOST = "127.0.0.1";
/** Most requests at once. */
const MOST_CONNECTIONS = 256;

/** Headers of one connection, and those that are made anew. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host origin referer content-length content-encoding accept-encoding expect".split(
    " ",
  ),
);

/** The server behind an endpoint. */
export interface ForwardTarget {
  readonly url: string;
  /** Headers that are added to each request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An endpoint on the loopback address that passes requests on to a server at a URL, with a recorder between them. */
export class RecordedEndpoint {
  readonly #target: ForwardTarget;
  readonly #recorder: Recorder;
  readonly #guards = new HttpGuards({
    ...{ type: "http", host: HOST, port: 0, path: PATH, sessions: "none", resumable: false },
    ...{ cors: false, trustProxy: 0, health: "/healthz", allowedHosts: [], allowedOrigins: [] },
  });
  readonly #http = createServer((request, response) => void this.#serve(request, response));
  readonly #secrets = new Set<string>();
  #requests = 0;

  constructor(target: ForwardTarget, recorder: Recorder) {
    this.#target = target;
    this.#recorder = recorder;
    this.#http.maxConnections = MOST_CONNECTIONS;
    this.#learn(Object.entries(target.headers));
    const { username, password, searchParams } = new URL(target.url);
    this.#learn([["password", password], ["password", username], ...searchParams]);
  }

  /** The values of headers with credentials that have passed. Only the masks of what is recorded need them. */
  get secrets(): readonly string[] {
    return [...this.#secrets];
  }

  /** The URL at which clients reach the recorder. */
  get url(): string {
    return `http://${HOST}:${(this.#http.address() as AddressInfo).port}${PATH}`;
  }

  /** @param port the port to listen on; 0 for a free one. @throws Error if it cannot listen there */
  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#http.once("error", reject).listen(port, HOST, resolve);
    });
  }

  /** Stops at once. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    try {
      const status = this.#refusal(request) ?? (await this.#forward(request, response));
      if (status !== undefined && !response.headersSent) refuse(response, status);
    } catch {
      if (response.headersSent) response.destroy();
      else refuse(response, 502);
    }
  }

  /** The status with which a request is refused; undefined if it is passed on. */
  #refusal(request: IncomingMessage): number | undefined {
    const { headers, method = "" } = request;
    const { host, origin, "sec-fetch-site": site } = headers;
    const problem = headersProblem(request);
    if (problem !== undefined) return problem.status;
    if (!this.#guards.allowsHost(host) || !this.#guards.allowsOrigin(origin, headers)) return 403;
    if (site === "cross-site" || site === "same-site") return 403;
    if (request.url?.split("?")[0] !== PATH) return 404;
    if (!["GET", "POST", "DELETE"].includes(method)) return 405;
    if (method !== "POST") return undefined;
    const isJson = /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");
    return isJson && headers["content-encoding"] === undefined ? undefined : 415;
  }

  /** @returns the status with which a request is refused after all */
  async #forward(request: IncomingMessage, response: ServerResponse): Promise<number | undefined> {
    const body = request.method === "POST" ? await bodyOf(request) : undefined;
    if (body === "too long") return 413;
    const headers = { ...passedHeaders(request.headers), ...this.#target.headers };
    this.#learn(Object.entries(headers));
    const connection = `request ${this.#requests++}`;
    if (body !== undefined) this.#recorder.fromClient(body.toString(), connection);
    const stop = new AbortController();
    response.once("close", () => stop.abort());
    const answer = await fetch(this.#target.url, {
      method: request.method ?? "GET",
      headers,
      redirect: "manual",
      signal: stop.signal,
      ...(body !== undefined && { body: new Uint8Array(body) }),
    });
    this.#learn([...answer.headers]);
    const { "set-cookie": _last, ...answered } = Object.fromEntries(answer.headers);
    const cookies = answer.headers.getSetCookie();
    response.writeHead(answer.status, {
      ...passedHeaders(answered),
      ...(cookies.length > 0 && { "set-cookie": cookies }),
    });
    await this.#passOn(answer, response, connection);
    return undefined;
  }

  async #passOn(answer: Response, response: ServerResponse, connection: string): Promise<void> {
    const texts = answerTexts(answer.headers.get("content-type") ?? "", {
      take: (text) => this.#recorder.fromServer(text, connection),
      skip: () => this.#recorder.skip(`messages of more than ${LONGEST_MESSAGE} bytes`),
    });
    for await (const chunk of answer.body ?? []) {
      texts.add(Buffer.from(chunk));
      if (!response.write(chunk)) await drained(response);
      if (response.destroyed) return;
    }
    texts.end();
    response.end();
  }

  #learn(headers: readonly (readonly [string, string])[]): void {
    for (const [name, value] of headers) {
      if (!isSecretKey(name) && !/(?:^|-)(?:session-id|key|auth)$/i.test(name)) continue;
      // `Bearer TOKEN`: the token is the secret, and the value of a cookie is what follows its name.
      const parts = value.split(/[;,]?\s+|=(?=.)/).filter((part) => part.length >= SHORTEST_SECRET);
      for (const part of parts) this.#secrets.add(part);
    }
  }
}

/** Parts of headers with credentials that are shorter are words, such as `Bearer` and `Path`. */
const SHORTEST_SECRET = 8;

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve).once("close", resolve);
  });
}

/** The headers that both sides send each other. */
function passedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const named = new Set(
    String(headers.connection ?? "")
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  const passed = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || OWN_HEADERS.has(name) || named.has(name)) return [];
    return [[name, Array.isArray(value) ? value.join(", ") : value] as const];
  });
  return Object.fromEntries(passed);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | "too long"> {
  if (Number(request.headers["content-length"] ?? 0) > LONGEST_BODY) return "too long";
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY) return "too long";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: "close" }).end();
}
