import type { Authentication } from "../authentication/authentication.js";
import { limitInWords, type Limits } from "../engine/limits.js";
import { wrongEncoding, type BodyRules, type JsonBody } from "../http/json-body.js";
import type { RefusedAnswer } from "../http/page-answer.js";
import type { RequestHead } from "../http/request-head.js";
import type { HttpError } from "../http/transport.js";

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Reads the JSON bodies of requests of the web's own type, within the limits. */
export class FetchBodies {
  readonly #rules: BodyRules;
  readonly #limits: Limits;

  constructor(rules: BodyRules, limits: Limits) {
    this.#rules = rules;
    this.#limits = limits;
  }

  /** The value of a body, or why the request is refused. */
  async read(
    request: Request,
    head: RequestHead,
    caller: Authentication | undefined,
  ): Promise<JsonBody | RefusedAnswer> {
    const refusal = this.#rules.typeRefusal(head);
    if (refusal !== undefined) return { refusal };
    const received = await this.#receive(request.body, head);
    if (received === undefined) return { refusal: this.#rules.tooLong(caller), caller };
    if ("status" in received) return { refusal: received, caller };
    const mostBytes = this.#rules.mostBytes(caller);
    const body = await decoded(received, head.headers["content-encoding"], mostBytes).catch(
      () => null,
    );
    if (body === null) return { refusal: wrongEncoding };
    if (body === undefined) return { refusal: this.#rules.tooLong(caller), caller };
    const value = this.#rules.valueOf(body, false);
    return "refusal" in value ? { ...value, caller } : value;
  }

  /** Receives a body; undefined if it is too long. */
  async #receive(
    body: ReadableStream | null,
    { headers }: RequestHead,
  ): Promise<Buffer | HttpError | undefined> {
    const { bodyTimeoutMs } = this.#limits;
    const mostBytes = this.#rules.mostBytes(undefined);
    if (Number(headers["content-length"] ?? 0) > mostBytes) {
      void body?.cancel().catch(() => undefined);
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<HttpError>((resolve) => {
      timer = setTimeout(() => resolve(tooSlow(this.#limits)), bodyTimeoutMs);
    });
    const reading = new AbortController();
    try {
      return await Promise.race([bytesWithin(body, mostBytes, reading.signal), late]);
    } catch {
      return { status: 400, message: "The body did not arrive whole" };
    } finally {
      clearTimeout(timer);
      reading.abort();
    }
  }
}

function tooSlow(limits: Limits): HttpError {
  const message = `Request Timeout (${limitInWords(limits, "bodyTimeoutMs")})`;
  return { status: 408, message, exceeded: { limit: "bodyTimeoutMs" } };
}

/** All bytes of a stream; undefined if there are more than so many. The rest is then not read. */
async function bytesWithin(
  stream: Bytes | null,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  if (stream === null) return Buffer.alloc(0);
  const reader = stream.getReader();
  signal?.addEventListener("abort", () => void reader.cancel().catch(() => undefined));
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, length);
    length += value.length;
    if (length > mostBytes) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(value);
  }
}

const formats: Readonly<Record<string, "gzip" | "deflate">> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};

/**
 * The body without its encoding; undefined if it is longer than `maxBytes` then.
 * @throws TypeError if it does not have the encoding
 */
async function decoded(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const format = formats[(encoding ?? "").toLowerCase()];
  if (format === undefined) return body.length > maxBytes ? undefined : body;
  const stream = new Blob([new Uint8Array(body)]).stream() as Bytes;
  return bytesWithin(stream.pipeThrough(new DecompressionStream(format)), maxBytes);
}
