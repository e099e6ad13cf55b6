import { isSecure } from "./settings.js";

/** The maximum time to wait for an authorization server, in milliseconds. */
export const maxWaitMs = 5_000;

/** The maximum size of an authorization server's answer, in bytes. */
const maxAnswerBytes = 256 * 1_024;

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

/**
 * Fetches a JSON object from an authorization server, without following redirects.
 *
 * @throws UnusableAnswer for any other answer; the error of `fetch` if no answer comes in time
 */
export async function fetchJson(
  url: URL,
  request: RequestInit & { readonly signal: AbortSignal },
): Promise<Readonly<Record<string, unknown>>> {
  if (!isSecure(url)) throw new UnusableAnswer(`${url.origin} is not asked without TLS`);
  const headers = { accept: "application/json", ...request.headers };
  // The message must not contain the query, which may be secret.
  const page = `${url.origin}${url.pathname}`;
  const response = await fetch(url, { ...request, headers, redirect: "manual" });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new UnusableAnswer(`${page} answered with status ${response.status}`, response.status);
  }
  const value = parseObject(await readBody(response, page));
  if (value === undefined) throw new UnusableAnswer(`${page} answered with no object of JSON`);
  return value;
}

/** The reason why a request to an authorization server failed, in one line. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message of a `fetch` error does not name the reason. Its cause does.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

async function readBody({ body }: Response, page: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
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
