import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerDefinition } from "../engine/definition.js";
import { isIdentity, isJsonUtf8, parseJsonBody, readBody } from "./exchange.js";
import type { HttpGate } from "./gate.js";
import { holdsMoreThan } from "../engine/json-size.js";
import type { Limits } from "../engine/limits.js";

/** A body that was read. A request without a body has no value. */
export interface JsonBody {
  readonly parsedBody?: unknown;
}

/** Reads the JSON bodies of one endpoint. */
export class JsonBodies {
  readonly #gate: HttpGate;
  readonly #limits: Pick<Limits, "bodyBytes" | "elements">;
  readonly #convert: (message: Buffer) => Buffer;
  readonly #uploads = new Set<IncomingMessage>();

  constructor(
    gate: HttpGate,
    limits: Pick<Limits, "bodyBytes" | "elements">,
    { convertMessage }: ServerDefinition,
  ) {
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
   * @param received The bytes of the body, if they were read already.
   */
  async read(
    request: IncomingMessage,
    response: ServerResponse,
    received?: Buffer,
  ): Promise<JsonBody | undefined> {
    if (!this.#admitOrRefuse(request, response)) return undefined;
    const body = received ?? (await this.#receive(request));
    if (body === null) {
      response.destroy();
      return undefined;
    }
    if (body === undefined) {
      const headers = { connection: "close" };
      const message = "Request body too large";
      this.#gate.sendError(request, response, { status: 413, message, headers });
      return undefined;
    }
    const { elements } = this.#limits;
    if (holdsMoreThan(body, elements)) {
      const message = `Invalid params: more than ${elements} elements`;
      this.#gate.sendError(request, response, { status: 400, message, code: -32602 });
      return undefined;
    }
    const converted = this.#convert(body);
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

  /** Answers a request whose body has no accepted media type or encoding. @returns whether it has both */
  #admitOrRefuse(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request;
    const problem = !isIdentity(headers["content-encoding"])
      ? "Content encoding not supported"
      : !isJsonUtf8(headers["content-type"])
        ? "Content type must be application/json"
        : undefined;
    if (problem === undefined) return true;
    this.#gate.sendError(request, response, { status: 415, message: problem });
    return false;
  }
}
