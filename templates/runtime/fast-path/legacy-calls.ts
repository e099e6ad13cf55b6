import type { InitializeResult, ServerCapabilities } from "@modelcontextprotocol/server";
import { RequestProgress, type Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { LogLevel } from "../observe/log.js";
import type { Handshake } from "./legacy-request.js";
import type { FastPathRequest } from "./request.js";

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
