import { once } from "node:events";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { hostRefusal, permittedLookup, type Lookup } from "../egress/reach.js";
import { isSecure } from "./settings.js";

/** The maximum time to wait for an authorization server, in milliseconds. */
export const maxWaitMs = 5_000;

/** The maximum size of an authorization server's answer, in bytes. */
const maxAnswerBytes = 256 * 1_024;

/** The time after which idle connections are closed, in milliseconds. */
const keepAliveMs = 4_000;

/** Thrown if an authorization server's answer is not the expected JSON object. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";

  /** The HTTP status, if it is the reason. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** A request to an authorization server: a GET, or a POST if it has a form. */
export interface JsonRequest {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
}

/**
 * An authorization server of the manifest. It may be at an address that is not public; another server that its
 * metadata names may not.
 */
export class AuthorizationServer {
  readonly #ownOrigin: string;
  readonly #lookup: Lookup | undefined;
  readonly #agents = {
    "http:": new HttpAgent({ keepAlive: true, timeout: keepAliveMs }),
    "https:": new HttpsAgent({ keepAlive: true, timeout: keepAliveMs }),
  };

  /**
   * @param url the URL that the manifest has
   * @param lookup how a test resolves names
   */
  constructor(url: URL, lookup?: Lookup) {
    this.#ownOrigin = url.origin;
    this.#lookup = lookup;
  }

  /**
   * Fetches a JSON object, without following redirects.
   *
   * @throws UnusableAnswer for any other answer, and for a URL that must not be asked; the error of the connection, or
   *   the reason of the signal, if no answer comes in time
   */
  async fetchJson(url: URL, request: JsonRequest): Promise<Readonly<Record<string, unknown>>> {
    if (!isSecure(url)) throw new UnusableAnswer(`${url.origin} is not asked without TLS`);
    // The message must not contain the query, which may be secret.
    const page = `${url.origin}${url.pathname}`;
    try {
      const response = await this.#send(url, request);
      const { statusCode = 0 } = response;
      if (statusCode !== 200) {
        response.destroy();
        throw new UnusableAnswer(`${page} answered with status ${statusCode}`, statusCode);
      }
      const value = parseObject(await readBody(response, page));
      if (value === undefined) throw new UnusableAnswer(`${page} answered with no object of JSON`);
      return value;
    } catch (error) {
      throw request.signal.aborted ? request.signal.reason : error;
    }
  }

  async #send(url: URL, { signal, headers, form }: JsonRequest): Promise<IncomingMessage> {
    const reach = { ownOrigin: this.#ownOrigin, isPrivate: true };
    const refusal = hostRefusal(url, reach);
    if (refusal !== undefined) throw new UnusableAnswer(`${url.origin} ${refusal.message}`);
    const isHttps = url.protocol === "https:";
    const request = (isHttps ? httpsRequest : httpRequest)(url, {
      method: form === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json",
        ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
        ...headers,
      },
      agent: this.#agents[isHttps ? "https:" : "http:"],
      lookup: permittedLookup(url, reach, this.#lookup),
      signal,
    });
    // The first error rejects the promise below; errors after the response reach the reader of its body.
    request.on("error", () => undefined);
    request.end(form?.toString());
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  }
}

/** The reason why a request to an authorization server failed, in one line. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function readBody(body: IncomingMessage, page: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > maxAnswerBytes) throw new UnusableAnswer(`${page} answered with too much`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
