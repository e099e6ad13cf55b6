import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";

/** The whole body of a request, or undefined when it is longer than `mostBytes`. */
export async function readBody(
  request: IncomingMessage,
  mostBytes: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * The JSON value of a body.
 * @throws TypeError when it is not UTF-8 or starts with a byte-order mark, SyntaxError when it is not JSON
 */
export function parseJsonBody(body: Buffer): unknown {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  return JSON.parse(text);
}

/** The request as the SDK takes it; the body is handed over parsed. */
export function toFetchRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  const { method = "GET", url = "/" } = request;
  return new Request(new URL(url, "http://localhost"), { method, headers, signal });
}

/** Writes a response out, a stream piece by piece as fast as the client reads. */
export async function sendFetchResponse(
  response: Response,
  outgoing: ServerResponse,
  extraHeaders: Readonly<Record<string, string>>,
): Promise<void> {
  const headers = { ...Object.fromEntries(response.headers), ...extraHeaders };
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const body = Buffer.from(await response.arrayBuffer());
    outgoing.writeHead(response.status, { ...headers, "content-length": body.length }).end(body);
    return;
  }
  outgoing.writeHead(response.status, headers);
  outgoing.flushHeaders();
  const closed = once(outgoing, "close");
  for await (const chunk of response.body ?? []) {
    if (outgoing.destroyed) break;
    if (!outgoing.write(chunk)) await Promise.race([once(outgoing, "drain"), closed]);
  }
  outgoing.end();
}

/** Answers with a JSON-RPC error that belongs to no request. */
export function sendError(
  outgoing: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
  outgoing
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...headers,
    })
    .end(body);
}
