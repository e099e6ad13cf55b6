import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { toBase64 } from "../engine/content.js";
import { InvalidResultError } from "../engine/errors.js";
import { resultLength } from "../engine/json-result.js";
import { isObject } from "../engine/request-parameters.js";

/**
 * What the handler of a resource returns: text, bytes, or contents said in full, of which there may
 * be several. The URI is the one that was asked for and the MIME type the listed one, unless they
 * are given.
 */
export type ResourceContent = string | Uint8Array | ResourceContents | readonly ResourceContents[];

export type ResourceContents = {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
} & (
  | { readonly text: string }
  /** Bytes, or base64. */
  | { readonly blob: Uint8Array | string }
);

type WireContents = ReadResourceResult["contents"][number];

/** What stands in contents that do not say it themselves. */
export interface ContentDefaults {
  readonly uri: string;
  readonly mimeType?: string | undefined;
}

/**
 * What a handler returned, as the protocol's result.
 * @param longest Longest text, or base64, of all contents together.
 * @throws InvalidResultError when it is no content, or too long
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
  const said = typeof returned === "string" ? { text: returned } : asBlob(returned);
  const { uri = defaults.uri, mimeType = defaults.mimeType, meta, text, blob } = said;
  const head = {
    uri: String(uri),
    ...(mimeType === undefined ? {} : { mimeType: String(mimeType) }),
    ...(isObject(meta) ? { _meta: meta } : {}),
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
