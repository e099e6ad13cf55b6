import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { Method } from "../engine/feature.js";
import { hasOnly, isObject, type RequestParameters } from "../engine/request-parameters.js";

/** The revision whose requests can be answered without a session. */
export const revision = "2026-07-28";

/** The prefix of the protocol's own keys in `_meta`. */
const protocol = "io.modelcontextprotocol/";
const versionKey = `${protocol}protocolVersion`;
const capabilitiesKey = `${protocol}clientCapabilities`;
const infoKey = `${protocol}clientInfo`;
/** The keys that every request has in `_meta`. */
export const metaKeys = [versionKey, capabilitiesKey, infoKey];

/** The methods that are answered without the SDK, by their names. */
export type FastPathMethods = ReadonlyMap<string, Method>;

/** A request of any era that can be answered without the SDK. */
export interface FastPathRequest {
  readonly id: string | number;
  /** The name of its method. */
  readonly name: string;
  readonly method: Method;
  readonly parameters: RequestParameters;
  /** The client's capabilities; absent in the older eras, which declare them in the handshake. */
  readonly capabilities?: ClientCapabilities;
  /** The token for reports of progress; absent if the client asks for none. */
  readonly progressToken?: string | number | undefined;
}

/**
 * Reads a parsed message as a request of 2026-07-28; undefined if it is invalid or unusual. The SDK then
 * gets the same message, and answers or refuses it.
 */
export function readFastPathRequest(
  message: unknown,
  methods: FastPathMethods,
): FastPathRequest | undefined {
  const request = readRequest(message);
  const method = request && methods.get(request.method);
  if (method === undefined) return undefined;
  const { id, method: name, params } = request as JsonRpcRequest;
  if (!isObject(params)) return undefined;
  const capabilities = capabilitiesIn(params["_meta"]);
  if (capabilities === undefined || !hasParametersOf(method, params)) return undefined;
  return { id, name, method, parameters: params, capabilities };
}

/** A JSON-RPC request without further members. */
interface JsonRpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** Reads a parsed message as a JSON-RPC request; undefined if it is none or has further members. */
export function readRequest(message: unknown): JsonRpcRequest | undefined {
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "id", "method", "params"])) {
    return undefined;
  }
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || typeof method !== "string") return undefined;
  if (!(typeof id === "string" || Number.isSafeInteger(id))) return undefined;
  return { id: id as string | number, method, params };
}

/** Whether a request has no other parameters than those of its method and `_meta`. */
export function hasParametersOf({ parameters }: Method, params: RequestParameters): boolean {
  for (const key in params) if (key !== "_meta" && !parameters.includes(key)) return false;
  return true;
}

/** The capabilities in a `_meta` that asks for no progress, logs or extensions: it has only its three keys. */
function capabilitiesIn(meta: unknown): ClientCapabilities | undefined {
  if (!isObject(meta) || !hasOnly(meta, metaKeys)) return undefined;
  return modernCapabilitiesIn(meta);
}

/** The capabilities in a valid `_meta` of {@link revision}; undefined for any other. */
export function modernCapabilitiesIn(meta: unknown): ClientCapabilities | undefined {
  if (!isObject(meta) || meta[versionKey] !== revision) return undefined;
  const { [capabilitiesKey]: capabilities, [infoKey]: info } = meta;
  if (!areCapabilities(capabilities)) return undefined;
  return info === undefined || isImplementation(info) ? capabilities : undefined;
}

/** The `_meta` of a client without capabilities. */
export const emptyMeta = { [versionKey]: revision, [capabilitiesKey]: {} };

/** Whether the SDK is certain to accept these capabilities. It accepts some others, too. */
export function areCapabilities(value: unknown): value is ClientCapabilities {
  if (!isObject(value)) return false;
  for (const name in value) if (!isCapability(name, value[name])) return false;
  return true;
}

/** Whether a capability has no details. Only the SDK can check details. */
function isCapability(name: string, value: unknown): boolean {
  if (!isObject(value)) return false;
  if (name === "roots") {
    return hasOnly(value, ["listChanged"]) && typeof (value["listChanged"] ?? false) === "boolean";
  }
  const isNamed = ["experimental", "extensions", "elicitation", "sampling"].includes(name);
  return isNamed && Object.values(value).every((one) => isObject(one) && hasOnly(one, []));
}

/** Whether a value describes a client, and all its members are texts. */
export function isImplementation(value: unknown): boolean {
  if (!isObject(value) || !hasOnly(value, implementationKeys)) return false;
  const { name, version } = value;
  if (typeof name !== "string" || typeof version !== "string") return false;
  for (const key in value) if (typeof value[key] !== "string") return false;
  return true;
}

const implementationKeys = ["name", "version", "title", "description", "websiteUrl"];
