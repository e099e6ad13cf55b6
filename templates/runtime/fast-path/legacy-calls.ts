import type { InitializeResult, Result, ServerCapabilities } from "@modelcontextprotocol/server";
import type { Awaitable } from "../engine/awaitable.js";
import type { Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Engine } from "../engine/engine.js";
import type { Handshake, LegacyRequest } from "./legacy-request.js";
import type { LogLevel } from "../observe/log.js";
import { FastPathCalls } from "./calls.js";
import type { FastPathMethod } from "./request.js";
import { isObject, type RequestParameters } from "../engine/request-parameters.js";

/** Starts what plain requests of the older eras ask for, straight from the engine. */
export class LegacyCalls {
  readonly #engine: Engine;
  readonly #calls: FastPathCalls;
  /** Whether the SDK puts the output of a tool, or of several, into an object. */
  readonly #wrapsAny: boolean;
  /** Whether any handler may ask its client, which takes the SDK. */
  readonly #asksAny: boolean;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#calls = new FastPathCalls(engine);
    const { tools } = engine.definition;
    this.#wrapsAny = tools.some(({ definition }) => wraps(definition));
    this.#asksAny = engine.definition.createAsking !== undefined;
  }

  /**
   * Starts what a request asks for, or leaves it: then nothing has run.
   * @returns what comes of it; a promise that is rejected where it fails
   */
  run({ method, parameters }: LegacyRequest, caller: Caller): Awaitable<Result> | undefined {
    if (method === "tools/list" && this.#wrapsAny) return undefined;
    if (this.#isLeft(method, parameters)) return undefined;
    return this.#calls.run(method, parameters, caller);
  }

  /** Whether a request is about an item that takes the SDK: one that may ask its client, for instance. */
  #isLeft(method: FastPathMethod, parameters: RequestParameters): boolean {
    // Most servers have none, and need not look for it.
    if (!this.#asksAny && !this.#wrapsAny) return false;
    const item = this.#engine.methods.get(method)?.itemOf?.(parameters);
    return item !== undefined && (item.asks !== undefined || wraps(item.definition));
  }
}

/** What a server says of itself in answer to a handshake. @param offered Its capabilities, for this client. */
export function handshakeResult(
  { revision }: Handshake,
  { info, instructions }: ServerDefinition,
  offered: ServerCapabilities,
): InitializeResult {
  return {
    protocolVersion: revision,
    capabilities: offered,
    serverInfo: info,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Whether the older eras get what a tool returns inside an object. */
function wraps(definition: { readonly outputSchema?: unknown }): boolean {
  const { outputSchema } = definition;
  return isObject(outputSchema) && outputSchema["type"] !== "object";
}

/** How a caller of the older eras is told of what happens during its request. */
export interface Telling {
  /** Sends a notification. */
  notify(json: string): void;
  /** Whether it is to have log messages of a level. */
  wants(level: LogLevel): boolean;
}

/** What a handler tells a caller of the older eras while it runs. */
export function tellingCaller(
  progressToken: LegacyRequest["progressToken"],
  { notify, wants }: Telling,
): Pick<Caller, "sendLog" | "sendProgress"> {
  return {
    sendLog: async (level, data) => {
      if (wants(level)) notify(notification("message", { level, data }));
    },
    sendProgress:
      progressToken === undefined
        ? undefined
        : async (report) => notify(notification("progress", { progressToken, ...report })),
  };
}

function notification(name: "message" | "progress", params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method: `notifications/${name}`, params });
}
