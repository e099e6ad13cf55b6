import type { ClientCapabilities, JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import { isLogLevel } from "../server/client-log-level.js";
import {
  areCapabilities,
  hasParametersOf,
  isImplementation,
  readRequest,
  type FastPathMethods,
  type FastPathRequest,
} from "./request.js";
import { hasOnly, isObject, type RequestParameters } from "../engine/request-parameters.js";

/** The served revisions before 2026-07-28, newest first. */
/** The revisions of the older eras, newest first. */
export const legacyRevisions = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];

export function isLegacyRevision(revision: unknown): boolean {
  return legacyRevisions.includes(revision as string);
}

/** The handshake of a client of the older eras. */
export interface Handshake {
  readonly id: RequestId;
  /** The revision that the server answers with. */
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
}

/** Reads a parsed message as a handshake; undefined if it is none or an unusual one. */
export function readHandshake(message: unknown): Handshake | undefined {
  const request = readRequest(message);
  if (request?.method !== "initialize" || !isObject(request.params)) return undefined;
  if (!hasOnly(request.params, ["protocolVersion", "capabilities", "clientInfo"])) return undefined;
  const { protocolVersion, capabilities, clientInfo } = request.params;
  if (typeof protocolVersion !== "string") return undefined;
  if (!areCapabilities(capabilities) || !isImplementation(clientInfo)) return undefined;
  const [newest = ""] = legacyRevisions;
  const revision = isLegacyRevision(protocolVersion) ? protocolVersion : newest;
  return { id: request.id, revision, capabilities };
}

/** Whether a parsed message is `notifications/initialized` without parameters. */
export function isInitialized(message: unknown): message is JSONRPCMessage {
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "method", "params"])) return false;
  const { jsonrpc, method, params = {} } = message;
  if (jsonrpc !== "2.0" || method !== "notifications/initialized") return false;
  return isObject(params) && hasOnly(params, []);
}

/** Reads a parsed message as a request of the older eras; undefined if it is none or an unusual one. */
export function readLegacyRequest(
  message: unknown,
  methods: FastPathMethods,
): FastPathRequest | undefined {
  const request = readRequest(message);
  if (request === undefined || request.method === "server/discover") return undefined;
  const { id, method: name, params: parameters = {} } = request;
  const method = methods.get(name);
  if (method === undefined || !isObject(parameters)) return undefined;
  if (!hasParametersOf(method, parameters)) return undefined;
  const { _meta: meta = {} } = parameters;
  if (!isObject(meta) || !hasOnly(meta, ["progressToken"])) return undefined;
  const { progressToken } = meta;
  return isOptionalToken(progressToken)
    ? { id, name, method, parameters, progressToken }
    : undefined;
}

/** Whether a value is a valid progress token, or absent. */
export function isOptionalToken(value: unknown): value is string | number | undefined {
  return value === undefined || typeof value === "string" || Number.isSafeInteger(value);
}

/** The parameters of `logging/setLevel` if they have a level and nothing else. */
export function readLevel({ method, params }: LevelRequest): RequestParameters | undefined {
  if (method !== "logging/setLevel" || !isObject(params)) return undefined;
  return isLogLevel(params["level"]) && hasOnly(params, ["level"]) ? params : undefined;
}

type LevelRequest = NonNullable<ReturnType<typeof readRequest>>;
