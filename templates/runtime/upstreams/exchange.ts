import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, type Gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { listenTo, type StopSignal } from "../engine/cancellation.js";
import { ToolError } from "../engine/errors.js";
import { AttemptTimeout } from "./failures.js";

/** One request as it goes out. */
export interface OutgoingRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The limits of reading an answer. */
export interface ReadLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Whether what is longer is cut instead of refused. */
  readonly truncate: boolean;
}

/** An answer as it came in, read whole. */
export interface IncomingAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isTruncated: boolean;
  /** Whether it answers HEAD, so that it has no body, whatever its headers say. */
  readonly isHead?: boolean;
}

/** So much of an error's answer is read for its message. */
const LONGEST_ERROR = 65_536;

/**
 * Sends a request and reads its answer.
 *
 * @param name of the upstream
 * @throws the reason of `signal`, once that is aborted; AttemptTimeout; what the connection fails with
 */
export async function exchange(
  agent: Dispatcher,
  request: OutgoingRequest,
  limits: ReadLimits,
  signal: StopSignal,
  name: string,
): Promise<IncomingAnswer> {
  const attempt = new AbortController();
  const unlisten = listenTo(signal, (reason) => attempt.abort(reason));
  attempt.signal.throwIfAborted();
  const timer = setTimeout(() => attempt.abort(new AttemptTimeout()), limits.timeoutMs);
  try {
    const { statusCode, headers, body } = await agent.request({
      ...request,
      body: request.body ?? null,
      signal: attempt.signal,
    });
    const isError = statusCode < 200 || statusCode >= 300;
    const read = isError ? { maxBytes: LONGEST_ERROR, truncate: true } : limits;
    const flat = flatHeaders(headers);
    const { bytes, isTruncated } = await readBody(decoded(body, flat, name), body, read, name);
    return { status: statusCode, headers: flat, body: bytes, isTruncated };
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error;
  } finally {
    clearTimeout(timer);
    unlisten();
  }
}

function flatHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(headers)) {
    flat[name] = typeof value === "string" ? value : value.join(", ");
  }
  return flat;
}

const DECODERS = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Decompresses the body part by part, so that the limit also stops small bodies that decompress to huge ones. */
function decoded(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  name: string,
): Readable {
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return body;
  const make = Object.hasOwn(DECODERS, encoding)
    ? DECODERS[encoding as keyof typeof DECODERS]
    : undefined;
  if (make === undefined) {
    abandon(body);
    throw new ToolError(
      `The upstream ${name} compresses its answer in a way that was not asked for.`,
    );
  }
  const decompressed = make();
  body.on("error", (error) => decompressed.destroy(error));
  return body.pipe(decompressed);
}

/** Ends a body that is not read any more, and ignores the error that this causes. */
function abandon(body: Readable): void {
  body.on("error", () => undefined).destroy();
}

async function readBody(
  body: Readable,
  source: Readable,
  { maxBytes, truncate }: Pick<ReadLimits, "maxBytes" | "truncate">,
  name: string,
): Promise<{ bytes: Buffer; isTruncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      body.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxBytes) resolve();
      });
      body.on("end", resolve).on("error", reject);
      body.on("close", () => reject(new Error("the answer broke off")));
    });
  } catch (error) {
    const code = String((error as { code?: unknown } | null)?.code);
    if (!/^(?:Z_|ERR__)/.test(code)) throw error;
    // An answer without a body may say how it would be compressed, such as the one to HEAD.
    const isEmpty = code === "Z_BUF_ERROR" && (body as Partial<Gunzip>).bytesWritten === 0;
    if (!isEmpty) {
      throw new ToolError(`The upstream ${name} does not compress its answer as it says.`);
    }
  } finally {
    // An answer that is too long or breaks off is of no use.
    if (!source.readableEnded) abandon(source);
  }
  if (length > maxBytes && !truncate) {
    throw new ToolError(`The answer of the upstream ${name} is longer than ${maxBytes} bytes.`);
  }
  const [first] = chunks;
  const bytes = first?.length === length ? first : Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, maxBytes), isTruncated: length > maxBytes };
}
