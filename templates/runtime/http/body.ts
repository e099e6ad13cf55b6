import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authentication } from "../authentication/authentication.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Limits } from "../engine/limits.js";
import { WaitList } from "../engine/wait-group.js";
import { decoded } from "./compressed-body.js";
import { readBody } from "./exchange.js";
import { BodyRules, wrongEncoding, type JsonBody } from "./json-body.js";
import type { HttpGate } from "./node-gate.js";
import type { HttpError } from "./transport.js";

/** What is known of a request before its body is read. */
interface ReceivedBody {
  /** The bytes of its body, if they were read already. */
  readonly received?: Buffer | undefined;
  readonly caller?: Authentication | undefined;
}

/** Reads the JSON bodies of one endpoint. */
export class JsonBodies {
  readonly #gate: HttpGate;
  readonly #rules: BodyRules;
  readonly #uploads = new WaitList<IncomingMessage>();

  constructor(gate: HttpGate, limits: Limits, definition: ServerDefinition) {
    this.#gate = gate;
    this.#rules = new BodyRules(limits, definition);
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
    const refuse = (refusal: HttpError, from?: { caller: Authentication | undefined }): undefined =>
      void this.#gate.sendError(request, response, refusal, from);
    const refusal = this.#rules.typeRefusal(request);
    if (refusal !== undefined) return refuse(refusal);
    const bytes = received ?? (await this.#receive(request));
    if (bytes === null) {
      response.destroy();
      return undefined;
    }
    const body = bytes && (await this.#decode(bytes, request, caller));
    if (body === null) return refuse(wrongEncoding);
    if (body === undefined) return refuse(this.#rules.tooLong(caller), { caller });
    const value = this.#rules.valueOf(body, received !== undefined);
    return "refusal" in value ? refuse(value.refusal, { caller }) : value;
  }

  /** Receives the body; undefined if it is too long, null if it did not arrive completely. */
  async #receive(request: IncomingMessage): Promise<Buffer | undefined | null> {
    const remove = this.#uploads.add(request);
    const body = await readBody(request, this.#rules.mostBytes(undefined)).catch(() => null);
    remove();
    return body;
  }

  /** The body without its encoding; undefined if it is too long, null if it does not have the encoding. */
  #decode(
    body: Buffer,
    { headers }: IncomingMessage,
    caller: Authentication | undefined,
  ): Promise<Buffer | undefined | null> {
    const mostBytes = this.#rules.mostBytes(caller);
    return decoded(body, headers["content-encoding"], mostBytes).catch(() => null);
  }
}
