import type { InitializeResult, ServerCapabilities } from "@modelcontextprotocol/server";
import type { Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { LogLevel } from "../observe/log.js";
import type { Handshake } from "./legacy-request.js";
import type { FastPathRequest } from "./request.js";

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

/** How a caller of the older eras is told of what happens during its request. */
export interface Telling {
  /** Sends a notification. */
  notify(json: string): void;
  /** Whether it is to have log messages of a level. */
  wants(level: LogLevel): boolean;
}

/** What a handler tells a caller of the older eras while it runs. */
export function tellingCaller(
  progressToken: FastPathRequest["progressToken"],
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
