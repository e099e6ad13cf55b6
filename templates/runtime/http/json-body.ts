import { isJsonContentType } from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import { anybody, maxPublicBytes } from "../authentication/public-methods.js";
import type { ServerDefinition } from "../engine/definition.js";
import { holdsMoreThan } from "../engine/json-size.js";
import { limitInWords, type Limits } from "../engine/limits.js";
import { parseMessage, withoutMark } from "../engine/message-json.js";
import type { RequestHead } from "./request-head.js";
import type { HttpError } from "./transport.js";

/** A body that was read. A request without a body has no value. */
export interface JsonBody {
  readonly parsedBody?: unknown;
}

/** The encodings that requests may have, as `Accept-Encoding` names them. Brotli's decoder may need 16 MiB for each body. */
export const acceptedEncodings = "gzip, deflate";

const encodings: ReadonlySet<string> = new Set(["identity", "gzip", "x-gzip", "deflate"]);

/** The refusal of a body that does not have its encoding. */
export const wrongEncoding: HttpError = {
  status: 400,
  message: "The body does not have its Content-Encoding",
};

/** What the bodies of one endpoint must be, however they were read. */
export class BodyRules {
  readonly #limits: Limits;
  readonly #convert: (message: Buffer) => Buffer;

  constructor(limits: Limits, { convertMessage }: ServerDefinition) {
    this.#convert = convertMessage ?? ((message) => message);
    this.#limits = limits;
  }

  /** Why a body with these headers is not read; undefined if it may be. */
  typeRefusal({ headers }: Pick<RequestHead, "headers">): HttpError | undefined {
    if (!encodings.has((headers["content-encoding"] ?? "identity").toLowerCase())) {
      const message = `Content encoding not supported: it may be ${acceptedEncodings}`;
      return { status: 415, message, headers: { "accept-encoding": acceptedEncodings } };
    }
    if (isJsonUtf8(headers["content-type"])) return undefined;
    return { status: 415, message: "Content type must be application/json" };
  }

  /** Most bytes that the body of this sender may have, once it is decoded. */
  mostBytes(caller: Authentication | undefined): number {
    const { bodyBytes } = this.#limits;
    return caller === anybody ? Math.min(bodyBytes, maxPublicBytes) : bodyBytes;
  }

  /** The refusal of a body that is longer than that. */
  tooLong(caller: Authentication | undefined): HttpError {
    const headers = { connection: "close" };
    const isOfAnybody = caller === anybody && maxPublicBytes < this.#limits.bodyBytes;
    const limit = isOfAnybody
      ? `${maxPublicBytes} bytes without credentials`
      : limitInWords(this.#limits, "bodyBytes");
    const message = `Request body too large (${limit})`;
    return { status: 413, message, headers, exceeded: { limit: "bodyBytes" } };
  }

  /** The value of a body, or why it is refused. @param isConverted Whether the numbers in it were looked at already. */
  valueOf(body: Buffer, isConverted: boolean): JsonBody | { readonly refusal: HttpError } {
    const { elements } = this.#limits;
    if (holdsMoreThan(body, elements)) {
      const limit = limitInWords(this.#limits, "elements");
      const message = `Invalid params: more than ${elements} elements (${limit})`;
      return { refusal: { status: 400, code: -32602, message, exceeded: { limit: "elements" } } };
    }
    const converted = isConverted ? body : this.#convert(withoutMark(body));
    try {
      return { parsedBody: parseJsonBody(converted) };
    } catch {
      const message = "Parse error: the body is not JSON in UTF-8";
      return { refusal: { status: 400, message, code: -32700 } };
    }
  }
}

/**
 * The JSON value of a body.
 * @throws TypeError when it is not UTF-8, SyntaxError when it is not JSON
 */
function parseJsonBody(body: Buffer): unknown {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  return parseMessage(text);
}

/** JSON is UTF-8: a body that declares another encoding is refused. */
function isJsonUtf8(contentType: string | undefined): boolean {
  if (contentType === undefined || !isJsonContentType(contentType)) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
