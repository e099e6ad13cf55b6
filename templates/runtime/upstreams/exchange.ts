import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, type Gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { listenTo, type StopSignal } from "../engine/cancellation.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import { ToolError } from "../engine/errors.js";
import { AttemptTimeout } from "./failures.js";
import type { IncomingAnswer, OutgoingRequest } from "./messages.js";

/** The limits for reading an answer. */
export interface ReadLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Whether a longer answer is cut; otherwise it is an error. */
  readonly truncate: boolean;
  /** The memory that is reserved before a long body is read; absent if that is not limited. */
  readonly memory?: AnswerMemory | undefined;
}

/** The number of bytes that are read of an answer with an error status, for its message. */
const MAX_ERROR_BYTES = 65_536;

/**
 * Sends a request and reads its answer.
 *
 * @param name the name of the upstream
 * @throws the reason of `signal` if that is aborted; AttemptTimeout after the time limit; ToolError if the body is too
 *   long or its compression is wrong; the error of the connection
 */
export async function exchange(
  agent: Dispatcher,
  request: OutgoingRequest,
  limits: ReadLimits,
  signal: StopSignal,
  name: string,
): Promise<IncomingAnswer> {
  const attempt = new Attempt(signal, limits.timeoutMs);
  // The time that the server waits for memory is not the upstream's.
  const reserve: Reserve = async (length) => {
    attempt.stopTimer();
    try {
      return await limits.memory?.reserve(length);
    } finally {
      attempt.startTimer();
    }
  };
  try {
    const { statusCode, headers, body } = await agent.request({
      ...request,
      body: request.body ?? null,
      signal: attempt,
    });
    const isError = statusCode < 200 || statusCode >= 300;
    const { maxBytes, truncate } = isError ? { maxBytes: MAX_ERROR_BYTES, truncate: true } : limits;
    const joined = joinedHeaders(headers);
    const longest = Math.min(maxBytes, bodyLength(joined) ?? maxBytes);
    const bodyLimits = { maxBytes, truncate, reserve: () => reserve(longest) };
    const decompressed = decompressedBody(body, joined, name);
    const { bytes, isTruncated } = await readBody(decompressed, body, bodyLimits, name);
    return { status: statusCode, headers: joined, body: bytes, isTruncated };
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
  readonly #timeoutMs: number;
  readonly #unlisten: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @throws the reason of `signal` if that is aborted */
  constructor(signal: StopSignal, timeoutMs: number) {
    super();
    this.#timeoutMs = timeoutMs;
    this.#unlisten = listenTo(signal, (reason) => this.#abort(reason));
    if (this.aborted) throw this.reason;
    this.startTimer();
  }

  startTimer(): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => this.#abort(new AttemptTimeout()), this.#timeoutMs);
  }

  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  /** Must be called when the attempt is over. */
  end(): void {
    this.#isOver = true;
    this.stopTimer();
    this.#unlisten();
  }

  #abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.emit("abort");
  }
}

/** Reserves memory for a body of this length. @returns a function to be called with its real length */
type Reserve = (length: number) => Promise<((actual: number) => void) | undefined>;

/** The part of a body that is read before memory is reserved: most bodies are shorter. */
const UNRESERVED_BYTES = 65_536;

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
    throw new ToolError(
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

interface BodyLimits extends Pick<ReadLimits, "maxBytes" | "truncate"> {
  /** Reserves memory for the rest of the body. */
  reserve(): ReturnType<Reserve>;
}

/** @param source the stream of the compressed body, which is destroyed if it has not been read to its end */
async function readBody(
  body: Readable,
  source: Readable,
  { maxBytes, truncate, reserve }: BodyLimits,
  name: string,
): Promise<{ bytes: Buffer; isTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  let hasEnded = false;
  let reserved: ReturnType<Reserve> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      body.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxBytes) return resolve();
        if (length <= UNRESERVED_BYTES || reserved !== undefined) return;
        body.pause();
        reserved = reserve();
        reserved.then(() => body.resume(), reject);
      });
      body.on("error", reject).on("end", () => {
        hasEnded = true;
        resolve();
      });
      body.on("close", () => hasEnded || reject(new Error("the answer broke off")));
    });
  } catch (error) {
    const code = String((error as { code?: unknown } | null)?.code);
    if (!/^(?:Z_|ERR__)/.test(code)) throw error;
    // An answer without a body, such as one to HEAD, may name a compression.
    const isEmpty = code === "Z_BUF_ERROR" && (body as Partial<Gunzip>).bytesWritten === 0;
    if (!isEmpty) {
      throw new ToolError(`The upstream ${name} does not compress its answer as it says.`);
    }
  } finally {
    void reserved?.then((finish) => finish?.(length)).catch(() => undefined);
    // The rest of an answer that is too long or broken is not needed.
    if (!source.readableEnded) destroyQuietly(source);
  }
  if (length > maxBytes && !truncate) {
    throw new ToolError(`The answer of the upstream ${name} is longer than ${maxBytes} bytes.`);
  }
  const [first] = chunks;
  const bytes = first?.length === length ? first : Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, maxBytes), isTruncated: length > maxBytes };
}
