import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, type Gunzip } from "node:zlib";
import { listenTo, type StopSignal } from "../engine/cancellation.js";
import { StreamMemory } from "../backends/stream-memory.js";
import { TimeLimit } from "../backends/time-limit.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import { AttemptTimeout, failureOf, RequestFailure } from "./failures.js";
import type { IncomingAnswer, OutgoingRequest } from "./messages.js";
import type { UpstreamAgent } from "./upstream-agent.js";

/** The limits for reading an answer. */
export interface ReadLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Whether a longer answer is cut; otherwise it is an error. */
  readonly truncate: boolean;
  /**
   * Whether an answer of success is kept where its body cannot be read to its end; otherwise that is an error, and the
   * request may be sent again.
   */
  readonly keepBroken?: boolean;
  /** The memory that is reserved before a long body is read; absent if that is not limited. */
  readonly memory?: AnswerMemory | undefined;
}

/** The number of bytes that are read of an answer with an error status, for its message. */
const MAX_ERROR_BYTES = 65_536;

/**
 * Sends a request and reads its answer.
 *
 * @param name the name of the upstream
 * @throws the reason of `signal` if that is aborted; and unless a broken answer of success is kept, AttemptTimeout after
 *   the time limit; ToolError if the body is too long or its compression is wrong; the error of the connection
 */
export async function exchange(
  agent: UpstreamAgent,
  request: OutgoingRequest,
  limits: ReadLimits,
  signal: StopSignal,
  name: string,
): Promise<IncomingAnswer> {
  const attempt = new Attempt(signal, limits.timeoutMs);
  try {
    const { statusCode, headers, body } = await agent.request({
      ...request,
      body: request.body ?? null,
      signal: attempt,
    });
    const isError = statusCode < 200 || statusCode >= 300;
    const { maxBytes, truncate } = isError ? { maxBytes: MAX_ERROR_BYTES, truncate: true } : limits;
    const joined = joinedHeaders(headers);
    const reading = new BodyReading({ maxBytes, truncate }, name);
    const answer = { status: statusCode, headers: joined };
    try {
      const stream = decompressedBody(body, joined, name);
      const read = { stream, mostBytes: maxBytes, length: bodyLength(joined) };
      const memory = new StreamMemory(read, limits.memory, (wait) => attempt.limit.without(wait));
      await reading.read(stream, body, memory);
    } catch (error) {
      if (isError || limits.keepBroken !== true || signal.reason !== undefined) throw error;
      const cause = attempt.aborted ? attempt.reason : error;
      const breakage = failureOf(name, cause, limits.timeoutMs).error;
      return { ...answer, body: reading.bytes(), isTruncated: true, breakage };
    }
    return { ...answer, body: reading.bytes(), isTruncated: reading.isTooLong };
  } catch (error) {
    throw attempt.aborted ? attempt.reason : error;
  } finally {
    attempt.end();
  }
}

/**
 * The signal of one attempt, which aborts with the call or after the time limit. undici takes emitters of the event
 * `abort`, too, which cost less than an `AbortSignal` for each attempt.
 */
class Attempt extends EventEmitter {
  aborted = false;
  reason: unknown;
  readonly limit: TimeLimit;
  readonly #unlisten: () => void;

  /** @throws the reason of `signal` if that is aborted */
  constructor(signal: StopSignal, timeoutMs: number) {
    super();
    this.#unlisten = listenTo(signal, (reason) => this.#abort(reason));
    if (this.aborted) throw this.reason;
    this.limit = new TimeLimit(timeoutMs, () => this.#abort(new AttemptTimeout()));
  }

  /** Must be called when the attempt is over. */
  end(): void {
    this.limit.end();
    this.#unlisten();
  }

  #abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.emit("abort");
  }
}

/** The length of a body by its headers; undefined if they do not say it, or the body is compressed. */
function bodyLength(headers: Readonly<Record<string, string>>): number | undefined {
  const { "content-length": length = "", "content-encoding": encoding } = headers;
  return /^\d+$/.test(length) && encoding === undefined ? Number(length) : undefined;
}

/** The headers with one text for each; several values are joined by commas. */
function joinedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? "";
    joined[name] = typeof value === "string" ? value : value.join(", ");
  }
  return joined;
}

const DECOMPRESSORS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The stream of the decompressed body. A stream, so that the limit stops small bodies that become huge. */
function decompressedBody(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  name: string,
): Readable {
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return body;
  const createDecompressor = Object.hasOwn(DECOMPRESSORS, encoding)
    ? DECOMPRESSORS[encoding as keyof typeof DECOMPRESSORS]
    : undefined;
  if (createDecompressor === undefined) {
    destroyQuietly(body);
    throw new RequestFailure(
      `The upstream ${name} compresses its answer in a way that was not asked for.`,
    );
  }
  const decompressor = createDecompressor();
  body.on("error", (error) => decompressor.destroy(error));
  return body.pipe(decompressor);
}

/** Destroys a body that is not needed any more, and ignores the error that this causes. */
function destroyQuietly(body: Readable): void {
  body.on("error", () => undefined).destroy();
}

/** The most bytes that are given back of a body for which there is no memory. */
const MAX_UNRESERVED_BYTES = 32_768;

type BodyLimits = Pick<ReadLimits, "maxBytes" | "truncate">;

/** Reads a body. What was read of it until an error can be asked for. */
class BodyReading {
  readonly #limits: BodyLimits;
  /** The name of the upstream. */
  readonly #name: string;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  /** The most bytes to give back. */
  #most: number;

  constructor(limits: BodyLimits, name: string) {
    this.#limits = limits;
    this.#name = name;
    this.#most = limits.maxBytes;
  }

  /** Whether the body has more bytes than its limit. */
  get isTooLong(): boolean {
    return this.#length > this.#limits.maxBytes;
  }

  /** What was read, up to the limit. */
  bytes(): Buffer {
    const [first] = this.#chunks;
    const bytes = first?.length === this.#length ? first : Buffer.concat(this.#chunks);
    return bytes.subarray(0, this.#most);
  }

  /**
   * @param source the stream of the compressed body, which is destroyed if it has not been read to its end
   * @throws ToolError if the body is too long or wrongly compressed, or there is no memory for it; the stream's error
   */
  async read(body: Readable, source: Readable, memory: StreamMemory): Promise<void> {
    try {
      await this.#readAll(body, memory);
    } catch (error) {
      const code = String((error as { code?: unknown } | null)?.code);
      if (!/^(?:Z_|ERR__)/.test(code)) throw error;
      // An answer without a body, such as one to HEAD, may name a compression.
      const isEmpty = code === "Z_BUF_ERROR" && (body as Partial<Gunzip>).bytesWritten === 0;
      if (!isEmpty) {
        throw new RequestFailure(
          `The upstream ${this.#name} does not compress its answer as it says.`,
        );
      }
    } finally {
      memory.finish(Math.min(this.#length, this.#most));
      // The rest of an answer that is too long or broken is not needed.
      if (!source.readableEnded) destroyQuietly(source);
    }
    const { maxBytes, truncate } = this.#limits;
    if (this.isTooLong && !truncate) {
      throw new RequestFailure(
        `The answer of the upstream ${this.#name} is longer than ${maxBytes} bytes.`,
      );
    }
  }

  /** Reads a body to its end, or until it is too long. */
  #readAll(body: Readable, memory: StreamMemory): Promise<void> {
    let hasEnded = false;
    return new Promise<void>((resolve, reject) => {
      body.on("data", (chunk: Buffer) => {
        this.#chunks.push(chunk);
        this.#length += chunk.length;
        if (this.isTooLong) return resolve();
        memory.arrived(this.#length)?.catch((error: Error) => {
          this.#most = Math.min(this.#most, MAX_UNRESERVED_BYTES);
          reject(error);
        });
      });
      body.on("error", reject).on("end", () => {
        hasEnded = true;
        resolve();
      });
      body.on("close", () => hasEnded || reject(new Error("the answer broke off")));
    });
  }
}
