import type {
  InitializeResult,
  Result,
  ServerCapabilities,
  Tool,
} from "@modelcontextprotocol/server";
import type { Awaitable } from "../engine/awaitable.js";
import type { Caller } from "../context/context.js";
import type { ServerDefinition, ToolEntry } from "../engine/definition.js";
import type { Engine } from "../engine/engine.js";
import type { Handshake, LegacyRequest } from "./legacy-request.js";
import type { LogLevel } from "../observe/log.js";
import { PlainCalls } from "./calls.js";
import type { PlainMethod } from "./request.js";
import type { RequestParameters } from "../engine/request-parameters.js";

/** Starts what plain requests of the older eras ask for, straight from the engine. */
export class LegacyCalls {
  readonly #engine: Engine;
  readonly #calls: PlainCalls;
  /** Whether the SDK puts the output of a tool, or of several, into an object. */
  readonly #wrapsAny: boolean;
  /** Tools whose calls take the SDK. */
  readonly #left: ReadonlySet<ToolEntry>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#calls = new PlainCalls(engine);
    const { tools } = engine.definition;
    this.#wrapsAny = tools.some(({ definition }) => wraps(definition));
    this.#left = new Set(tools.filter((tool) => asks(tool) || wraps(tool.definition)));
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
  #isLeft(method: PlainMethod, parameters: RequestParameters): boolean {
    const { tools, resources, prompts } = this.#engine;
    switch (method) {
      case "tools/call": {
        // Most servers have none, and need not look for it.
        const tool = this.#left.size > 0 ? tools.get(String(parameters["name"])) : undefined;
        return tool !== undefined && this.#left.has(tool);
      }
      case "prompts/get":
        return asks(prompts?.find(parameters["name"]));
      case "resources/read":
        return asks(resources?.entryAt(parameters["uri"]));
      default:
        return false;
    }
  }
}

/** Whether an item has a handler that may ask its client. */
function asks(item: { readonly behaviour: object } | undefined): boolean {
  return item !== undefined && "asks" in item.behaviour && item.behaviour.asks !== undefined;
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
function wraps({ outputSchema }: Tool): boolean {
  return outputSchema !== undefined && outputSchema["type"] !== "object";
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
