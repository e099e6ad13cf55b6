import { isJsonContentType, type JSONRPCErrorResponse } from "@modelcontextprotocol/server";
import type { LongTexts } from "../engine/long-texts.js";
import type { HttpError } from "./transport.js";
import { printable } from "../engine/printable.js";

/** Longest error, in bytes. */
const maxErrorBytes = 4_096;

/** The parts of an answer that is no stream, with the long texts in it. */
export async function wholeBytes(
  response: Response,
  longTexts: LongTexts,
): Promise<readonly Uint8Array[]> {
  const whole = await bytesOf(response.body);
  return response.ok
    ? withLongTexts(whole, longTexts)
    : [correctedError(whole, response.headers.get("content-type"))];
}

/** The JSON of a refusal. */
export function refusalJson({ code = -32000, message }: HttpError): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message } });
}

/** Whether a response is a stream of events. */
export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** The bytes of JSON or events with the long texts instead of their marks. */
export function withLongTexts(bytes: Uint8Array, longTexts: LongTexts): readonly Uint8Array[] {
  if (longTexts.isEmpty) return [bytes];
  const { buffer, byteOffset, byteLength } = bytes;
  return longTexts.putBack(Buffer.from(buffer, byteOffset, byteLength).toString());
}

/** The bytes of a body. One that comes as one chunk is not copied, as `arrayBuffer()` would do several times. */
async function bytesOf(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const { buffer, byteOffset, byteLength } of body ?? []) {
    chunks.push(Buffer.from(buffer, byteOffset, byteLength));
  }
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/**
 * Corrects an error of the SDK. It may repeat a long part of the request, and its id may be null, which the
 * protocol does not allow.
 */
function correctedError(body: Buffer, contentType: string | null): Buffer {
  if (!isJsonContentType(contentType) || body.length === 0) return body;
  const { id, error, ...rest } = JSON.parse(body.toString()) as JSONRPCErrorResponse;
  const { code, message } = error;
  const short =
    body.length <= maxErrorBytes ? error : { code, message: printable(message, maxErrorBytes / 4) };
  return Buffer.from(JSON.stringify({ ...rest, error: short, ...(id !== null && { id }) }));
}
