import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import {
  SERVER_INFO_META_KEY,
  type CacheHint,
  type CallToolResult,
  type Implementation,
  type Result,
} from "@modelcontextprotocol/server";
import type { PlainMethod, PlainRequest } from "./http-plain-request.js";
import { hasOnly, isObject } from "./request-parameters.js";
import { structuredTextOf } from "./tool-result.js";

/** The results that clients may keep; the protocol wants hints about that on each. */
const cacheableMethods: ReadonlySet<string> = new Set<PlainMethod>([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
]);
const noCaching = { ttlMs: 0, cacheScope: "private" } as const;

/** The answer to a request: what the SDK puts before and after a result. */
const head = '{"result":';
const tail = ',"jsonrpc":"2.0","id":';

/**
 * Writes results as the SDK does for 2026-07-28, byte for byte. Where a result has anything that
 * the SDK might treat in a way of its own, it is left to the SDK.
 */
export class PlainAnswers {
  readonly #meta: object;
  /** What ends a result that need not say how long it may be kept. */
  readonly #end: string;
  readonly #cache: CacheHint;
  readonly #pages = new WeakMap<Result, Buffer>();

  /** @param cache The hints of lists; what reading a resource gives has its own. */
  constructor(info: Implementation, cache: CacheHint = {}) {
    this.#meta = { [SERVER_INFO_META_KEY]: info };
    this.#end = `"resultType":"complete","_meta":${JSON.stringify(this.#meta)}}`;
    this.#cache = { ...noCaching, ...cache };
  }

  /** Sends a result that is the same object for every caller, and encoded once; or leaves it and says so. */
  sendPage(response: ServerResponse, { method, id }: PlainRequest, page: Result): boolean {
    let bytes = this.#pages.get(page);
    if (bytes === undefined) {
      const json = this.#ofResult(method, page);
      if (json === undefined) return false;
      bytes = Buffer.from(`${head}${json}${tail}`);
      this.#pages.set(page, bytes);
    }
    const end = `${JSON.stringify(id)}}`;
    response.writeHead(200, headers(bytes.length + Buffer.byteLength(end)));
    // The bytes go out as they are, together with the head and the end.
    response.write(bytes);
    response.end(end);
    return true;
  }

  /** Sends a result, or leaves it and says so. */
  send(response: ServerResponse, { method, id }: PlainRequest, result: Result): boolean {
    const json =
      method === "tools/call"
        ? this.#ofCall(result as CallToolResult)
        : this.#ofResult(method, result);
    if (json === undefined) return false;
    const body = `${head}${json}${tail}${JSON.stringify(id)}}`;
    response.writeHead(200, headers(Buffer.byteLength(body))).end(body);
    return true;
  }

  /** The JSON of a `tools/call` result, or undefined where it is more than text and a structured value. */
  #ofCall(result: CallToolResult): string | undefined {
    const { content, structuredContent, isError } = result;
    if (!hasOnly(result, callKeys)) return undefined;
    let json = '{"content":[';
    let separator = "";
    for (const block of content) {
      if (block.type !== "text" || !hasOnly(block, textKeys)) return undefined;
      json += `${separator}{"type":"text","text":${JSON.stringify(block.text)}}`;
      separator = ",";
    }
    json += "],";
    if (structuredContent !== undefined) {
      // To a value that is no object the SDK adds its text, if there is none.
      if (!isObject(structuredContent) && content.length === 0) return undefined;
      json += `"structuredContent":${structuredTextOf(result) ?? JSON.stringify(structuredContent)},`;
    }
    if (isError !== undefined) json += `"isError":${isError},`;
    return json + this.#end;
  }

  /** The JSON of a result of another method, or undefined where the SDK might change it. */
  #ofResult(method: PlainMethod, result: Result): string | undefined {
    if ("resultType" in result || "_meta" in result) return undefined;
    if (!cacheableMethods.has(method)) return `${JSON.stringify(result).slice(0, -1)},${this.#end}`;
    const { ttlMs, cacheScope } = method === "resources/read" ? noCaching : this.#cache;
    return JSON.stringify({
      ...result,
      resultType: "complete",
      ttlMs: result["ttlMs"] ?? ttlMs,
      cacheScope: result["cacheScope"] ?? cacheScope,
      _meta: this.#meta,
    });
  }
}

function headers(length: number): OutgoingHttpHeaders {
  return { "content-type": "application/json", "content-length": length };
}

const textKeys = ["type", "text"];
const callKeys = ["content", "structuredContent", "isError"];
