import type { Result } from "@modelcontextprotocol/server";
import type { Era } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import { printable } from "../engine/printable.js";
import { isObject, type RequestParameters } from "../engine/request-parameters.js";
import { methodNames, subjectOf } from "./request-subject.js";

/** Through which transport a request came. */
export type TransportName = "http" | "sse" | "websocket" | "stdio" | "custom";

/**
 * How a request ended: with its answer; with `isError`; with questions to the user; with a JSON-RPC
 * error; without an answer, since the client took it back or went away; or before it reached the
 * protocol.
 */
export type Outcome = "ok" | "tool_error" | "input_required" | "error" | "cancelled" | "refused";

/** A request that is over. Nothing here is from its arguments or headers. */
export interface ObservedRequest {
  readonly transport: TransportName;
  readonly outcome: Outcome;
  /** From when the request had arrived whole until it was answered. */
  readonly durationMs: number;
  /** The method that was asked for, if it is one that the server may have. */
  readonly method?: string | undefined;
  /** The name in the manifest of what was asked for. */
  readonly item?: string | undefined;
  /** The method or the name that was asked for, where there is none such; fit to be printed. */
  readonly unknown?: string | undefined;
  readonly era?: Era | undefined;
  readonly requestId?: string | number | undefined;
  /** The JSON-RPC error's. */
  readonly code?: number | undefined;
  /** Of a request that was refused. */
  readonly status?: number;
  readonly reason?: string;
  /** Of a request that was refused: whence it came and who sent it, where that is known. */
  readonly address?: string | undefined;
  readonly principal?: string | undefined;
}

/** Why a request was refused. */
export interface ObservedRefusal extends Pick<ObservedRequest, "code" | "address" | "principal"> {
  /** The HTTP status, or the WebSocket's close code. */
  readonly status: number;
  /** In words of the server's own. */
  readonly reason: string;
}

/** Is told of each request when it is over. */
export type RequestListener = (request: ObservedRequest) => void;
export type RequestFilter = (request: ObservedRequest) => boolean;

/** What a JSON-RPC request says of itself. */
export interface RequestMessage {
  readonly method: string;
  readonly id: string | number;
  readonly params?: unknown;
}

/** Longest part of a request's id, method or name that is told of. */
const longestText = 128;

/** Follows every request from its arrival to its answer, whichever way that is given. */
export class RequestObserver {
  readonly #engine: Engine;
  readonly #listeners: readonly RequestListener[];
  readonly #refused: readonly RequestListener[];
  #inFlight = 0;

  /** @param refused Those that are told of refused requests alone. */
  constructor(
    engine: Engine,
    listeners: readonly RequestListener[],
    refused: readonly RequestListener[] = [],
  ) {
    this.#engine = engine;
    this.#listeners = listeners;
    this.#refused = [...listeners, ...refused];
  }

  /** How many requests are being answered; subscriptions are answered when they end. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Follows a request that has arrived; undefined where nobody is told of requests that are answered.
   * @param since When it had arrived, by `performance.now()`.
   */
  begin(
    message: RequestMessage,
    transport: TransportName,
    era: Era,
    since = performance.now(),
  ): Observation | undefined {
    if (this.#listeners.length === 0) return undefined;
    this.#inFlight += 1;
    let isOver = false;
    const over = (outcome?: Outcome, code?: number): void => {
      if (isOver) return;
      isOver = true;
      this.#inFlight -= 1;
      if (outcome === undefined) return;
      const durationMs = performance.now() - since;
      const request = { transport, outcome, durationMs, era, code, ...this.#describe(message) };
      for (const listen of this.#listeners) listen(request);
    };
    return { since, end: over, leave: () => over() };
  }

  /** Tells of a request that was refused before the protocol had its turn. */
  refuse(transport: TransportName, refusal: ObservedRefusal, message?: unknown): void {
    const about = isRequest(message) ? this.#describe(message) : {};
    const refused = { transport, outcome: "refused", durationMs: 0, ...about } as const;
    for (const listen of this.#refused) listen({ ...refused, ...refusal });
  }

  #describe({ method, id, params }: RequestMessage): Partial<ObservedRequest> {
    const requestId = typeof id === "string" ? printable(id, longestText) : id;
    if (!methodNames.has(method)) return { requestId, unknown: printable(method, longestText) };
    const parameters: RequestParameters = isObject(params) ? params : {};
    const item = subjectOf(this.#engine, method, parameters);
    if (item !== undefined) return { requestId, method, item };
    const name = isNamed(method) ? parameters["name"] : undefined;
    if (typeof name !== "string") return { requestId, method };
    return { requestId, method, unknown: printable(name, longestText) };
  }
}

/** URIs are told of by the names in the manifest only: the rest of them may be as secret as arguments. */
function isNamed(method: string): boolean {
  return method === "tools/call" || method === "prompts/get";
}

/** One request, while it is being answered; what is said of it after the first time has no effect. */
export interface Observation {
  /** When the request had arrived, by `performance.now()`. */
  readonly since: number;
  /** Says how the request ended. */
  end(outcome: Outcome, code?: number): void;
  /** Leaves the request to another that observes it. */
  leave(): void;
}

/** How a request ended that has this result. */
export function outcomeOf({ isError, resultType }: Result): Outcome {
  if (isError === true) return "tool_error";
  return resultType === "input_required" ? "input_required" : "ok";
}

/** Whether a value is a JSON-RPC request: a notification has no id, and gets no answer. */
export function isRequest(value: unknown): value is RequestMessage {
  if (!isObject(value) || typeof value["method"] !== "string") return false;
  return typeof value["id"] === "string" || typeof value["id"] === "number";
}
