import type { CallToolResult, Implementation, Result } from "@modelcontextprotocol/server";
import { isPlainText } from "../engine/content.js";
import { jsonOf } from "../engine/long-texts.js";
import { hasOnly, isObject } from "../engine/request-parameters.js";
import { structuredTextOf } from "../tools/tool-result.js";
import type { FastPathRequest } from "./request.js";

/** The text before and after the result in an answer of the SDK. The id and a brace follow `tail`. */
const head = '{"result":';
const tail = ',"jsonrpc":"2.0","id":';

/** The end of an answer: the id of its request and the closing brace. */
export function answerEnd(id: string | number): string {
  return typeof id === "number" ? `${id}}` : `${JSON.stringify(id)}}`;
}

/** An answer without its {@link answerEnd}; a long one in several parts. */
export type Answer = string | Buffer | readonly Buffer[];

/** The parts of an answer. */
export function partsOf<Part extends string | Buffer>(
  answer: Part | readonly Part[],
): readonly Part[] {
  return Array.isArray(answer) ? answer : [answer as Part];
}

/** The parts of a request that its answer depends on. */
type AnsweredRequest = Pick<FastPathRequest, "name" | "method">;

/**
 * Writes answers byte for byte as the SDK does, without their {@link answerEnd}. A result that the SDK
 * might change is left to the SDK.
 */
export class FastPathAnswers {
  readonly #encodedAnswers = new WeakMap<Result, Buffer>();
  readonly #start: string;
  /** The `_meta` at the end of a result of 2026-07-28; undefined in the older eras, which add none. */
  readonly #meta: string | undefined;

  /**
   * @param info The server info in the answers of 2026-07-28; absent in the older eras.
   * @param start The text that the transport writes before each answer.
   */
  constructor(info?: Implementation, start = "") {
    const meta = { "io.modelcontextprotocol/serverInfo": info };
    this.#start = start;
    this.#meta = info && `,"_meta":${JSON.stringify(meta)}}`;
  }

  /** The answer with a result, or undefined if the SDK has to write it. A shared result is encoded once. */
  answer(request: AnsweredRequest, result: Result): Answer | undefined {
    if (request.method.isShared !== true) {
      return jsonOf(result, (short) => this.#write(request, short));
    }
    const encoded = this.#encodedAnswers.get(result);
    if (encoded !== undefined) return encoded;
    const answer = this.#write(request, result);
    if (answer === undefined) return undefined;
    const bytes = Buffer.from(answer);
    this.#encodedAnswers.set(result, bytes);
    return bytes;
  }

  /** An answer of the older eras with an unchanged result. */
  legacyAnswer(result: object): string {
    return `${this.#start}${head}${JSON.stringify(result)}${tail}`;
  }

  #write(request: AnsweredRequest, result: Result): string | undefined {
    const json =
      request.name === "tools/call"
        ? this.#ofCall(result as CallToolResult)
        : this.#ofResult(request, result);
    return json === undefined ? undefined : `${this.#start}${head}${json}${tail}`;
  }

  #ofCall(result: CallToolResult): string | undefined {
    if (result.resultType === "task") return JSON.stringify(result).slice(0, -1) + this.#meta;
    const { structuredContent, content } = result;
    const isNoObject = structuredContent !== undefined && !isObject(structuredContent);
    // For such a value the SDK adds a missing text; in the older eras, it wraps the value in an object.
    if (isNoObject && (this.#meta === undefined || content.length === 0)) return undefined;
    const members = callMembers(result);
    if (members === undefined) return undefined;
    return this.#meta === undefined ? `{${members}}` : `{${members}${complete}${this.#meta}`;
  }

  #ofResult({ method: { caching } }: AnsweredRequest, result: Result): string | undefined {
    if ("resultType" in result || "_meta" in result) return undefined;
    const { ttlMs, cacheScope } = { ttlMs: 0, cacheScope: "private", ...caching };
    if (this.#meta === undefined) {
      return "ttlMs" in result || "cacheScope" in result ? undefined : JSON.stringify(result);
    }
    const members = JSON.stringify(result).slice(0, -1);
    let json = members === "{" ? members + complete.slice(1) : members + complete;
    if (caching !== undefined && !("ttlMs" in result)) json += `,"ttlMs":${ttlMs}`;
    if (caching !== undefined && !("cacheScope" in result)) json += `,"cacheScope":"${cacheScope}"`;
    return json + this.#meta;
  }
}

const complete = ',"resultType":"complete"';

/** The members of a `tools/call` result as JSON; undefined if it has more than text and a structured value. */
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
