import type {
  isSpecType,
  AudioContent,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from "@modelcontextprotocol/server";
import type { Awaitable } from "./awaitable.js";
import { hasOnly, isObject } from "./request-parameters.js";

/** A block of text. */
export function text(text: string): TextContent {
  return { type: "text", text };
}

/**
 * A block with an image.
 * @param data The image, as bytes or as base64.
 * @param mimeType Its media type, such as `image/png`.
 */
export function image(data: Uint8Array | string, mimeType: string): ImageContent {
  return { type: "image", data: toBase64(data), mimeType };
}

/**
 * A block with a sound.
 * @param data The sound, as bytes or as base64.
 * @param mimeType Its media type, such as `audio/wav`.
 */
export function audio(data: Uint8Array | string, mimeType: string): AudioContent {
  return { type: "audio", data: toBase64(data), mimeType };
}

/**
 * A link to a resource that the client may read.
 * @param members Further members of the block, such as `description` and `mimeType`.
 */
export function resourceLink(
  uri: string,
  name: string,
  members: Omit<ResourceLink, "type" | "uri" | "name"> = {},
): ResourceLink {
  return { type: "resource_link", uri, name, ...members };
}

/** A text resource that is part of the answer. @param mimeType Its media type, such as `text/markdown`. */
export function embeddedText(uri: string, text: string, mimeType?: string): EmbeddedResource {
  return { type: "resource", resource: { uri, text, ...(mimeType ? { mimeType } : {}) } };
}

/** A binary resource that is part of the answer. @param data Bytes, or base64. */
export function embeddedBlob(
  uri: string,
  data: Uint8Array | string,
  mimeType?: string,
): EmbeddedResource {
  const blob = toBase64(data);
  return { type: "resource", resource: { uri, blob, ...(mimeType ? { mimeType } : {}) } };
}

/** Bytes as base64. A text must be base64 already. */
export function toBase64(data: Uint8Array | string): string {
  if (typeof data === "string") return data;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}

/** Whether all values are blocks of content. */
export function areContentBlocks(values: readonly unknown[]): Awaitable<boolean> {
  if (values.every(isPlainText)) return true;
  return loadSpecTypes().then(({ ContentBlock }) => values.every((value) => ContentBlock(value)));
}

/** Whether a value is a block with a text and nothing else. */
export function isPlainText(value: unknown): value is TextContent {
  if (!isObject(value) || value["type"] !== "text") return false;
  return typeof value["text"] === "string" && hasOnly(value, textBlockKeys);
}

const textBlockKeys = ["type", "text"];

/** A value as text: objects as JSON, `undefined` and `null` as the empty string. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Loads the SDK's checks of the protocol's types. They are imported only when needed, since the SDK takes
 * longer to load than all other code.
 */
export async function loadSpecTypes(): Promise<typeof isSpecType> {
  const sdk = await import("@modelcontextprotocol/server");
  return sdk.isSpecType;
}
