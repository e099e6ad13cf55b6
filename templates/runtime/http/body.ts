import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerDefinition } from "../engine/definition.js";
import { anybody, maxPublicBytes } from "../authentication/public-methods.js";
import type { Authentication } from "../authentication/authentication.js";
import { acceptedEncodings, canDecode, decoded } from "./compressed-body.js";
import { isJsonUtf8, parseJsonBody, readBody } from "./exchange.js";
import type { HttpGate } from "./node-gate.js";
import { withoutMark } from "../engine/message-json.js";
import { holdsMoreThan } from "../engine/json-size.js";
import { limitInWords, type Limits } from "../engine/limits.js";

/** A body that was read. A request without a body has no value. */
export interface JsonBody {
  readonly parsedBody?: unknown;
}

/** What is known of a request before its body is read. */
interface ReceivedBody {
  /** The bytes of its body, if they were read already. */
  readonly received?: Buffer | undefined;
  readonly caller?: Authentication | undefined;
}

/** Reads the JSON bodies of one endpoint. */
export class JsonBodies {
  readonly #gate: HttpGate;
  readonly #limits: Limits;
  readonly #convert: (message: Buffer) => Buffer;
  readonly #uploads = new Set<IncomingMessage>();

  constructor(gate: HttpGate, limits: Limits, { convertMessage }: ServerDefinition) {
    this.#gate = gate;
    this.#convert = convertMessage ?? ((message) => message);
    this.#limits = limits;
  }

  /** Ends the requests whose bodies have not arrived. */
  stop(): void {
    for (const request of this.#uploads) request.destroy();
  }

  /**
   * Reads the JSON body of a request. If that fails, answers the request and returns undefined.
   */
  async read(
    request: IncomingMessage,
    response: ServerResponse,
    { received, caller }: ReceivedBody = {},
  ): Promise<JsonBody | undefined> {
    if (!this.#admitOrRefuse(request, response)) return undefined;
    const bytes = received ?? (await this.#receive(request));
    if (bytes === null) {
      response.destroy();
      return undefined;
    }
    const body = bytes && (await this.#decode(bytes, request, caller));
    if (body === null) {
      const message = "The body does not have its Content-Encoding";
      this.#gate.sendError(request, response, { status: 400, message });
      return undefined;
    }
    if (body === undefined) {
      const headers = { connection: "close" };
      const { bodyBytes } = this.#limits;
      const isOfAnybody = caller === anybody && maxPublicBytes < bodyBytes;
      const limit = isOfAnybody
        ? `${maxPublicBytes} bytes without credentials`
        : limitInWords(this.#limits, "bodyBytes");
      const tooLarge = { status: 413, message: `Request body too large (${limit})`, headers };
      const exceeded = { limit: "bodyBytes" } as const;
      this.#gate.sendError(request, response, { ...tooLarge, exceeded }, { caller });
      return undefined;
    }
    const { elements } = this.#limits;
    if (holdsMoreThan(body, elements)) {
      const limit = limitInWords(this.#limits, "elements");
      const tooMany = { message: `Invalid params: more than ${elements} elements (${limit})` };
      const exceeded = { limit: "elements" } as const;
      const refusal = { status: 400, code: -32602, ...tooMany, exceeded };
      this.#gate.sendError(request, response, refusal, { caller });
      return undefined;
    }
    const converted = this.#convert(received ?? withoutMark(body));
    try {
      return { parsedBody: parseJsonBody(converted) };
    } catch {
      const message = "Parse error: the body is not JSON in UTF-8";
      this.#gate.sendError(request, response, { status: 400, message, code: -32700 });
      return undefined;
    }
  }

  /** Receives the body; undefined if it is too long, null if it did not arrive completely. */
  async #receive(request: IncomingMessage): Promise<Buffer | undefined | null> {
    this.#uploads.add(request);
    const body = await readBody(request, this.#limits.bodyBytes).catch(() => null);
    this.#uploads.delete(request);
    return body;
  }

  /** The body without its encoding; undefined if it is too long, null if it does not have the encoding. */
  #decode(
    body: Buffer,
    { headers }: IncomingMessage,
    caller: Authentication | undefined,
  ): Promise<Buffer | undefined | null> {
    const { bodyBytes } = this.#limits;
    const mostBytes = caller === anybody ? Math.min(bodyBytes, maxPublicBytes) : bodyBytes;
    return decoded(body, headers["content-encoding"], mostBytes).catch(() => null);
  }

  /** Answers a request whose body has no accepted media type or encoding. @returns whether it has both */
  #admitOrRefuse(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request;
    const refuse = (message: string, further: Readonly<Record<string, string>> = {}): boolean => {
      this.#gate.sendError(request, response, { status: 415, message, headers: further });
      return false;
    };
    if (!canDecode(headers["content-encoding"])) {
      const message = `Content encoding not supported: it may be ${acceptedEncodings}`;
      return refuse(message, { "accept-encoding": acceptedEncodings });
    }
    return isJsonUtf8(headers["content-type"]) || refuse("Content type must be application/json");
  }
}
