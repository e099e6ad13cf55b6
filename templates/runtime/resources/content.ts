import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { toBase64 } from "../engine/content.js";
import { InvalidResultError } from "../engine/errors.js";
import { resultLength } from "../engine/json-result.js";
import { isObject } from "../engine/request-parameters.js";

/**
 * The result of a resource's handler: text, bytes, or one or several complete contents. By default, the URI is that
 * of the request, and the MIME type the listed one.
 */
export type ResourceContent = string | Uint8Array | ResourceContents | readonly ResourceContents[];

export type ResourceContents = {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
} & (
  | { readonly text: string }
  /** Bytes, or text in base64. */
  | { readonly blob: Uint8Array | string }
);

type WireContents = ReadResourceResult["contents"][number];

/** The defaults of contents. */
export interface ContentDefaults {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  /** What clients need to show the content as a page of an MCP App. */
  readonly ui?: unknown;
}

/**
 * Converts the result of a handler to the protocol's.
 * @param longest Longest text and base64 of all contents together, in UTF-16 code units.
 * @throws InvalidResultError if it is no content, or too long
 */
export function toReadResult(
  name: string,
  returned: unknown,
  defaults: ContentDefaults,
  longest: number,
): ReadResourceResult {
  const all: unknown[] = Array.isArray(returned) ? returned : [returned];
  const contents = all.map((one) => toContents(name, one, defaults));
  if (contents.length === 0) throw new InvalidResultError(`Resource ${name} returned no content`);
  const length = contents.reduce((sum, one) => sum + lengthOf(name, one), 0);
  if (length > longest)
    throw new InvalidResultError(`Resource ${name} returned too long a content`);
  return { contents };
}

function toContents(name: string, returned: unknown, defaults: ContentDefaults): WireContents {
  const parts = typeof returned === "string" ? { text: returned } : asBlob(returned);
  const { uri = defaults.uri, mimeType = defaults.mimeType, meta, text, blob } = parts;
  const head = {
    uri: String(uri),
    ...(mimeType === undefined ? {} : { mimeType: String(mimeType) }),
    ...(isObject(meta) ? { _meta: meta } : {}),
    ...(defaults.ui !== undefined && meta === undefined ? { _meta: { ui: defaults.ui } } : {}),
  };
  if (typeof text === "string") return { ...head, text };
  if (typeof blob === "string" || blob instanceof Uint8Array)
    return { ...head, blob: toBase64(blob) };
  throw new InvalidResultError(`Resource ${name} returned neither text nor bytes`);
}

function asBlob(returned: unknown): Readonly<Record<string, unknown>> {
  if (returned instanceof Uint8Array) return { blob: returned };
  return isObject(returned) ? returned : {};
}

function lengthOf(name: string, contents: WireContents): number {
  const { _meta: meta } = contents;
  const body = "text" in contents ? contents.text : contents.blob;
  return body.length + (meta === undefined ? 0 : resultLength(`Resource ${name}`, meta));
}
