import type {
  CacheHint,
  CallToolResult,
  Implementation,
  Result,
} from "@modelcontextprotocol/server";
import { isPlainText } from "../engine/content.js";
import type { FastPathMethod } from "./request.js";
import { hasOnly, isObject } from "../engine/request-parameters.js";
import { structuredTextOf } from "../tools/tool-result.js";

/** What the SDK puts before and after the result of a request; its id and a brace come last. */
const head = '{"result":';
const tail = ',"jsonrpc":"2.0","id":';

/** The end of an answer, which says to which request it is. */
export function answerEnd(id: string | number): string {
  return typeof id === "number" ? `${id}}` : `${JSON.stringify(id)}}`;
}

/**
 * Writes answers as the SDK does, byte for byte, but for {@link answerEnd}. Where a result has
 * anything that the SDK might treat in a way of its own, it is left to the SDK.
 */
export abstract class FastPathAnswers {
  readonly #pages = new WeakMap<Result, Buffer>();

  protected readonly start: string;

  /** @param start What the transport puts before each answer. */
  constructor(start = "") {
    this.start = start;
  }

  /** The answer with a result that came at once: a list is encoded once; undefined where it is left. */
  atOnce(method: FastPathMethod, result: Result): string | Buffer | undefined {
    return isShared(method) ? this.#page(method, result) : this.answer(method, result);
  }

  #page(method: FastPathMethod, page: Result): Buffer | undefined {
    const known = this.#pages.get(page);
    if (known !== undefined) return known;
    const answer = this.answer(method, page);
    if (answer === undefined) return undefined;
    const bytes = Buffer.from(answer);
    this.#pages.set(page, bytes);
    return bytes;
  }

  /** The answer with a result; undefined where it is left. */
  answer(method: FastPathMethod, result: Result): string | undefined {
    const json =
      method === "tools/call"
        ? this.ofCall(result as CallToolResult)
        : this.ofResult(method, result);
    return json === undefined ? undefined : `${this.start}${head}${json}${tail}`;
  }

  /** The JSON of a `tools/call` result. */
  protected abstract ofCall(result: CallToolResult): string | undefined;

  /** The JSON of a result of another method. */
  protected abstract ofResult(method: FastPathMethod, result: Result): string | undefined;
}

/** Whether what comes at once of a method is the same object for every caller, until it changes. */
export function isShared(method: FastPathMethod): boolean {
  return sharedMethods.has(method);
}

const sharedMethods: ReadonlySet<string> = new Set<FastPathMethod>([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
]);

/** The results that clients may keep; the protocol wants hints about that on each. */
const cacheableMethods: ReadonlySet<string> = new Set<FastPathMethod>([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
]);
const noCaching: Required<CacheHint> = { ttlMs: 0, cacheScope: "private" };

/** The answers of 2026-07-28. */
export class ModernAnswers extends FastPathAnswers {
  /** What ends a result. */
  readonly #end: string;
  readonly #cache: Required<CacheHint>;

  /** @param cache The hints of lists; what reading a resource gives has its own. */
  constructor(info: Implementation, cache: CacheHint = {}) {
    super();
    const meta = { "io.modelcontextprotocol/serverInfo": info };
    this.#end = `,"_meta":${JSON.stringify(meta)}}`;
    this.#cache = { ...noCaching, ...cache };
  }

  protected override ofCall(result: CallToolResult): string | undefined {
    // To a value that is no object the SDK adds its text, if there is none.
    const isLeft = hasBareValue(result) && result.content.length === 0;
    const members = isLeft ? undefined : callMembers(result);
    return members === undefined ? undefined : `{${members}${complete}${this.#end}`;
  }

  protected override ofResult(method: FastPathMethod, result: Result): string | undefined {
    if ("resultType" in result || "_meta" in result) return undefined;
    let json = JSON.stringify(result).slice(0, -1) + complete;
    if (cacheableMethods.has(method)) {
      const { ttlMs, cacheScope } = method === "resources/read" ? noCaching : this.#cache;
      if (!("ttlMs" in result)) json += `,"ttlMs":${ttlMs}`;
      if (!("cacheScope" in result)) json += `,"cacheScope":"${cacheScope}"`;
    }
    return json + this.#end;
  }
}

const complete = ',"resultType":"complete"';

/** The answers of the eras before, which add nothing to a result. */
export class LegacyAnswers extends FastPathAnswers {
  /** The answer with a result that goes out as it is. */
  bare(result: object): string {
    return `${this.start}${head}${JSON.stringify(result)}${tail}`;
  }

  protected override ofCall(result: CallToolResult): string | undefined {
    // Around a value that is no object the SDK puts one.
    const isLeft = hasBareValue(result);
    const members = isLeft ? undefined : callMembers(result);
    return members === undefined ? undefined : `{${members}}`;
  }

  protected override ofResult(_method: FastPathMethod, result: Result): string | undefined {
    const isLeft = ["resultType", "_meta", "ttlMs", "cacheScope"].some((key) => key in result);
    return isLeft ? undefined : JSON.stringify(result);
  }
}

/** Whether the structured value of a result is no object. */
function hasBareValue({ structuredContent }: CallToolResult): boolean {
  return structuredContent !== undefined && !isObject(structuredContent);
}

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
