import type { Result } from "@modelcontextprotocol/server";
import type { Era } from "../context/context.js";
import type { TransportDefinition } from "../engine/definition.js";
import { describeError } from "../engine/describe-error.js";
import type { Engine } from "../engine/engine.js";
import { printable } from "../engine/printable.js";
import { isObject, textMember, type RequestParameters } from "../engine/request-parameters.js";
import type { Logger } from "./log.js";
import type { Facility } from "../server/facility.js";
import type { RefusalCounts } from "./refusals.js";

/** The transport that a request came through. */
export type TransportName = TransportDefinition["type"];

/**
 * How a request ended:
 * - `ok`: with a result; `tool_error`: with a result that has `isError`; `error`: with a JSON-RPC error
 * - `input_required`: with questions to the user
 * - `cancelled`: without an answer, since the client cancelled it or disconnected
 * - `refused`: before the engine or the SDK received it
 */
export type Outcome = "ok" | "tool_error" | "input_required" | "error" | "cancelled" | "refused";

/** A finished request. It contains nothing from the request's arguments or headers, but a host or origin that was refused. */
export interface ObservedRequest {
  readonly transport: TransportName;
  readonly outcome: Outcome;
  /** The time from the arrival of the whole request to its answer, in milliseconds. */
  readonly durationMs: number;
  /** The method, if it is one of the protocol's methods. */
  readonly method?: string | undefined;
  /** The name that the item has in the manifest. */
  readonly item?: string | undefined;
  /** An unknown method or name, safe to print. */
  readonly unknown?: string | undefined;
  readonly era?: Era | undefined;
  readonly requestId?: string | number | undefined;
  /** The code of the JSON-RPC error. */
  readonly code?: number | undefined;
  /** The status of a refused request. */
  readonly status?: number;
  readonly reason?: string;
  /** The name that a request was refused for, safe to print, and the setting that would allow it. */
  readonly received?: string | undefined;
  readonly setting?: string | undefined;
  /** The limit that a request exceeded, in the manifest's words. */
  readonly limit?: string | undefined;
  /** The address and the principal of the sender of a refused request, if they are known. */
  readonly address?: string | undefined;
  readonly principal?: string | undefined;
}

/** The reason and status with which a request was refused. */
export interface ObservedRefusal extends Pick<
  ObservedRequest,
  "code" | "address" | "principal" | "received" | "setting" | "limit"
> {
  /** The HTTP status, whose numbers stdio uses too, or the WebSocket's close code. */
  readonly status: number;
  /** The server's own text. It contains nothing from the request. */
  readonly reason: string;
}

/** A function that is called with each finished or refused request. */
export type RequestListener = (request: ObservedRequest) => void;
/** Whether a listener takes a request. */
export type RequestFilter = (request: ObservedRequest) => boolean;

/** The members of a JSON-RPC request. */
export interface RequestMessage {
  readonly method: string;
  readonly id: string | number;
  readonly params?: unknown;
}

/** The maximum length of ids, methods and names for listeners. Longer texts are cut. */
const maxTextLength = 128;

/** Observes every request from its arrival to its answer, on the fast path and in the SDK. */
export class RequestObserver {
  readonly #engine: Engine;
  readonly #listeners: readonly RequestListener[];
  readonly #log: Logger;
  #inFlight = 0;

  constructor(engine: Engine, listeners: readonly RequestListener[], log: Logger) {
    this.#engine = engine;
    this.#listeners = listeners;
    this.#log = log;
  }

  /** The number of requests without an answer yet. A subscription counts until it ends. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Starts to observe a request.
   * @param startedAt The time of the request's arrival, by `performance.now()`.
   */
  begin(
    message: RequestMessage,
    transport: TransportName,
    era: Era,
    startedAt = performance.now(),
  ): Observation {
    this.#inFlight += 1;
    let isFinished = false;
    const finish = (outcome?: Outcome, code?: number): void => {
      if (isFinished) return;
      isFinished = true;
      this.#inFlight -= 1;
      if (outcome === undefined) return;
      const durationMs = performance.now() - startedAt;
      this.#report(message, { transport, outcome, durationMs, era, code });
    };
    return { startedAt, end: finish, leave: () => finish() };
  }

  /** Reports a request that was refused before the engine or the SDK received it. */
  refuse(transport: TransportName, refusal: ObservedRefusal, message?: unknown): void {
    this.#report(message, { transport, outcome: "refused", durationMs: 0, ...refusal });
  }

  /**
   * Tells the listeners of a request. A failure of theirs is no failure of the request.
   * @param observed An object of its own, to which the description of the message is added.
   */
  #report(message: unknown, observed: ObservedRequest): void {
    const request = isRequest(message)
      ? Object.assign(observed, this.#describe(message))
      : observed;
    for (const listen of this.#listeners) {
      try {
        listen(request);
      } catch (error) {
        this.#log.error("a request could not be reported", { error: describeError(error) });
      }
    }
  }

  #describe({ method, id, params }: RequestMessage): Partial<ObservedRequest> {
    const requestId = typeof id === "string" ? printable(id, maxTextLength) : id;
    if (!methodNames.has(method)) return { requestId, unknown: printable(method, maxTextLength) };
    const parameters: RequestParameters = isObject(params) ? params : {};
    const item = subjectOf(this.#engine, method, parameters);
    if (item !== undefined) return { requestId, method, item };
    const name = isNamed(method) ? textMember(parameters, "name") : undefined;
    if (name === undefined) return { requestId, method };
    return { requestId, method, unknown: printable(name, maxTextLength) };
  }
}

/** Whether requests of a method name their item. URIs do not count: they may be secret like arguments. */
function isNamed(method: string): boolean {
  return method === "tools/call" || method === "prompts/get";
}

/** A request that is being answered. Only the first call of `end` or `leave` has an effect. */
export interface Observation {
  /** The time of the request's arrival, by `performance.now()`. */
  readonly startedAt: number;
  /** Reports how the request ended. */
  end(outcome: Outcome, code?: number): void;
  /** Leaves the request to another observer, without reporting it. */
  leave(): void;
}

/** The outcome of a request with this result. */
export function outcomeOf({ isError, resultType }: Result): Outcome {
  if (isError === true) return "tool_error";
  return resultType === "input_required" ? "input_required" : "ok";
}

/** Whether a value is a JSON-RPC request. A notification is not: it has no id and gets no answer. */
export function isRequest(value: unknown): value is RequestMessage {
  if (!isObject(value) || typeof value["method"] !== "string") return false;
  return typeof value["id"] === "string" || typeof value["id"] === "number";
}

/** The methods of every era that a client may call. */
export const methodNames: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "server/discover",
  "subscriptions/listen",
  "logging/setLevel",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
]);

/**
 * Returns the name that the requested tool, resource, template or prompt has in the manifest, or undefined if
 * the request names no item.
 */
export function subjectOf(
  engine: Engine,
  method: string,
  parameters: RequestParameters,
): string | undefined {
  const isAboutResource = method === "resources/subscribe" || method === "resources/unsubscribe";
  const engineMethod = engine.methods.get(isAboutResource ? "resources/read" : method);
  return engineMethod?.itemOf?.(parameters)?.definition.name;
}

/**
 * Logs one line for each request, with its method, item and outcome, but without its content. Those that were refused for
 * a limit have lines of their own already, which are warnings.
 * @param isCounted Returns true for a request that is only counted and needs no line of its own.
 */
export function requestLog(log: Logger, isCounted?: RequestFilter): RequestListener {
  return (request) => {
    if (request.limit !== undefined || isCounted?.(request) === true) return;
    const { durationMs, item, unknown, method } = request;
    const isKnown = method !== undefined;
    const entry: Record<string, unknown> = {
      method: isKnown ? method : unknown,
      name: item ?? (isKnown ? unknown : undefined),
    };
    for (const key of Object.keys(request)) {
      if (!isWrittenApart(key)) entry[key] = request[key as keyof ObservedRequest];
    }
    entry["durationMs"] = Math.round(durationMs * 1_000) / 1_000;
    log.info("request", entry);
  };
}

/** Whether a member of a request is written in another form, or not at all: who sent it is not logged. */
function isWrittenApart(key: string): boolean {
  switch (key) {
    case "method":
    case "item":
    case "unknown":
    case "durationMs":
    case "address":
    case "principal":
      return true;
    default:
      return false;
  }
}

/** Makes the facility that logs requests. @param counts What is only counted of those that were refused. */
export function createRequestLog(log: Logger, counts?: RefusalCounts): Facility {
  const observe = requestLog(log, counts?.isCounted);
  return counts === undefined ? { observe } : { observe, close: async () => counts.flush() };
}
