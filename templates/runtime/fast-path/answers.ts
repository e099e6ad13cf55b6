import type { CallToolResult, Implementation, Result } from "@modelcontextprotocol/server";
import { isPlainText } from "../engine/content.js";
import { hasOnly, isObject } from "../engine/request-parameters.js";
import { structuredTextOf } from "../tools/tool-result.js";
import type { FastPathRequest } from "./request.js";

/** The SDK writes these before and after the result of a request. The id and a brace come last. */
const head = '{"result":';
const tail = ',"jsonrpc":"2.0","id":';

/** The end of an answer, with the id of its request. */
export function answerEnd(id: string | number): string {
  return typeof id === "number" ? `${id}}` : `${JSON.stringify(id)}}`;
}

/** The parts of a request that its answer depends on. */
type Asked = Pick<FastPathRequest, "name" | "method">;

/**
 * Writes answers as the SDK does, byte for byte, but for {@link answerEnd}. Where a result has
 * anything that the SDK might treat in a way of its own, it is left to the SDK.
 */
export class FastPathAnswers {
  readonly #lists = new WeakMap<Result, Buffer>();
  readonly #start: string;
  /** What ends a result of 2026-07-28; undefined in the older eras, which add nothing to a result. */
  readonly #meta: string | undefined;

  /**
   * @param info What the answers of 2026-07-28 say of the server; absent in the older eras.
   * @param start What the transport puts before each answer.
   */
  constructor(info?: Implementation, start = "") {
    const meta = { "io.modelcontextprotocol/serverInfo": info };
    this.#start = start;
    this.#meta = info && `,"_meta":${JSON.stringify(meta)}}`;
  }

  /** The answer with a result: a list is encoded once; undefined where it is left to the SDK. */
  answer(asked: Asked, result: Result): string | Buffer | undefined {
    if (asked.method.isShared !== true) return this.#write(asked, result);
    const encoded = this.#lists.get(result);
    if (encoded !== undefined) return encoded;
    const answer = this.#write(asked, result);
    if (answer === undefined) return undefined;
    const bytes = Buffer.from(answer);
    this.#lists.set(result, bytes);
    return bytes;
  }

  /** The answer with a result that goes out as it is, in the older eras. */
  bare(result: object): string {
    return `${this.#start}${head}${JSON.stringify(result)}${tail}`;
  }

  #write(asked: Asked, result: Result): string | undefined {
    const json =
      asked.name === "tools/call"
        ? this.#ofCall(result as CallToolResult)
        : this.#ofResult(asked, result);
    return json === undefined ? undefined : `${this.#start}${head}${json}${tail}`;
  }

  #ofCall(result: CallToolResult): string | undefined {
    const { structuredContent, content } = result;
    const isBare = structuredContent !== undefined && !isObject(structuredContent);
    // Beside a value that is no object the SDK puts its text, if there is none; in the older eras, around it an object.
    if (isBare && (this.#meta === undefined || content.length === 0)) return undefined;
    const members = callMembers(result);
    if (members === undefined) return undefined;
    return this.#meta === undefined ? `{${members}}` : `{${members}${complete}${this.#meta}`;
  }

  #ofResult({ method: { caching } }: Asked, result: Result): string | undefined {
    if ("resultType" in result || "_meta" in result) return undefined;
    const { ttlMs, cacheScope } = { ttlMs: 0, cacheScope: "private", ...caching };
    if (this.#meta === undefined) {
      return "ttlMs" in result || "cacheScope" in result ? undefined : JSON.stringify(result);
    }
    let json = JSON.stringify(result).slice(0, -1) + complete;
    if (caching !== undefined && !("ttlMs" in result)) json += `,"ttlMs":${ttlMs}`;
    if (caching !== undefined && !("cacheScope" in result)) json += `,"cacheScope":"${cacheScope}"`;
    return json + this.#meta;
  }
}

const complete = ',"resultType":"complete"';

/** The members of a `tools/call` result as JSON, or undefined where it is more than text and a structured value. */
function callMembers(result: CallToolResult): string | undefined {
  const { content, structuredContent, isError } = result;
  if (!hasOnly(result, callKeys)) return undefined;
  let json = '"content":[';
  let separator = "";
  for (const block of content) {
    if (!isPlainText(block)) return undefined;
    json += `${separator}{"type":"text","text":${JSON.stringify(block.text)}}`;
    separator = ",";
  }
  json += "]";
  if (structuredContent !== undefined) {
    json += `,"structuredContent":${structuredTextOf(result) ?? JSON.stringify(structuredContent)}`;
  }
  if (isError !== undefined) json += `,"isError":${isError}`;
  return json;
}

const callKeys = ["content", "structuredContent", "isError"];
