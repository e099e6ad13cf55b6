import type { Result, InitializeResult, ServerCapabilities } from "@modelcontextprotocol/server";
import type { Awaitable } from "../engine/awaitable.js";
import { type Caller, RequestProgress } from "../context/context.js";
import type { Engine } from "../engine/engine.js";
import type { Method } from "../engine/feature.js";
import { revision, type FastPathMethods, type FastPathRequest } from "./request.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { LogLevel } from "../observe/log.js";
import type { Handshake } from "./legacy-request.js";

/** The methods that are answered without the SDK: those of the engine, and `server/discover`. */
export function fastPathMethods({ definition, capabilities, methods }: Engine): FastPathMethods {
  const { instructions, cache = {} } = definition;
  const discovery = {
    supportedVersions: [revision],
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
  };
  const discover: Method = {
    parameters: [],
    isShared: true,
    caching: cache,
    answer: () => discovery,
  };
  return new Map([...methods, ["server/discover", discover]]);
}

/** Runs a request. @returns its result, or a promise, which rejects if the request fails */
export function startCall(
  { method, parameters }: FastPathRequest,
  caller: Caller,
): Awaitable<Result> {
  try {
    return method.answer(parameters, caller);
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

/** The result of a handshake. @param capabilities The server's capabilities for this client. */
export function handshakeResult(
  { revision }: Handshake,
  { info, instructions }: ServerDefinition,
  capabilities: ServerCapabilities,
): InitializeResult {
  return {
    protocolVersion: revision,
    capabilities,
    serverInfo: info,
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Sends notifications to a caller of the older eras during its request. */
export interface Notifier {
  /** Sends a notification. */
  notify(json: string): void;
  /** Whether the caller asked for log messages of this level. */
  wantsLevel(level: LogLevel): boolean;
}

/** Turns log messages and progress of a handler into notifications of the older eras. */
export function callerNotifications(
  progressToken: FastPathRequest["progressToken"],
  { notify, wantsLevel }: Notifier,
): Pick<Caller, "sendLog" | "progress"> {
  return {
    sendLog: async (level, data) => {
      if (wantsLevel(level)) notify(notification("message", { level, data }));
    },
    progress:
      progressToken === undefined
        ? undefined
        : new RequestProgress(async (report) =>
            notify(notification("progress", { progressToken, ...report })),
          ),
  };
}

function notification(name: "message" | "progress", params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method: `notifications/${name}`, params });
}
