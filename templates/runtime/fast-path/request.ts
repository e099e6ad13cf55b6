import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { Method } from "../engine/parts.js";
import { hasOnly, isObject, type RequestParameters } from "../engine/request-parameters.js";

/** The one revision whose requests stand alone, so that each can be answered by itself. */
export const revision = "2026-07-28";

/** What the keys of the protocol's own begin with, in `_meta`. */
const protocol = "io.modelcontextprotocol/";
const versionKey = `${protocol}protocolVersion`;
const capabilitiesKey = `${protocol}clientCapabilities`;
const infoKey = `${protocol}clientInfo`;
/** The keys of an envelope that says nothing but who asks. */
export const envelopeKeys = [versionKey, capabilitiesKey, infoKey];

/** The methods that are answered without the SDK, by their names. */
export type FastPathMethods = ReadonlyMap<string, Method>;

/** A request of any era with nothing about it that only the SDK knows how to answer. */
export interface FastPathRequest {
  readonly id: string | number;
  /** The name of its method. */
  readonly name: string;
  readonly method: Method;
  readonly parameters: RequestParameters;
  /** What the client has declared with the request; in the older eras it does so in the handshake. */
  readonly capabilities?: ClientCapabilities;
  /** What reports of progress are to name; absent where the client wants none. */
  readonly progressToken?: string | number | undefined;
}

/**
 * A parsed message as a request of 2026-07-28, or undefined where there is any doubt about it: the
 * SDK then looks at the same message and finds the right words. Nothing is refused here.
 */
export function readFastPathRequest(
  message: unknown,
  methods: FastPathMethods,
): FastPathRequest | undefined {
  const request = readRequest(message);
  const method = request && methods.get(request.method);
  if (method === undefined) return undefined;
  const { id, method: name, params } = request as BareRequest;
  if (!isObject(params)) return undefined;
  const capabilities = capabilitiesIn(params["_meta"]);
  if (capabilities === undefined || !hasParametersOf(method, params)) return undefined;
  return { id, name, method, parameters: params, capabilities };
}

/** A JSON-RPC request, with nothing beside it. */
interface BareRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** A parsed message as a JSON-RPC request; undefined where it is none, or is anything more. */
export function readRequest(message: unknown): BareRequest | undefined {
  if (!isObject(message) || !hasOnly(message, ["jsonrpc", "id", "method", "params"])) {
    return undefined;
  }
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || typeof method !== "string") return undefined;
  if (!(typeof id === "string" || Number.isSafeInteger(id))) return undefined;
  return { id: id as string | number, method, params };
}

/** Whether parameters are only those that a request of a method may have, beside `_meta`. */
export function hasParametersOf({ parameters }: Method, given: RequestParameters): boolean {
  for (const key in given) if (key !== "_meta" && !parameters.includes(key)) return false;
  return true;
}

/**
 * What a client declares in an envelope that has its three keys and no other: the others ask for
 * progress, logs or extensions.
 */
function capabilitiesIn(meta: unknown): ClientCapabilities | undefined {
  if (!isObject(meta) || !hasOnly(meta, envelopeKeys)) return undefined;
  return claimIn(meta);
}

/** What a client declares in an envelope of {@link revision}; undefined where there is none, or a wrong one. */
export function claimIn(meta: unknown): ClientCapabilities | undefined {
  if (!isObject(meta) || meta[versionKey] !== revision) return undefined;
  const { [capabilitiesKey]: capabilities, [infoKey]: info } = meta;
  if (!areCapabilities(capabilities)) return undefined;
  return info === undefined || isImplementation(info) ? capabilities : undefined;
}

/** The envelope of a client that declares nothing. */
export const emptyEnvelope = { [versionKey]: revision, [capabilitiesKey]: {} };

/** Whether capabilities are of a form that the SDK takes; of some that it takes too, this is not known here. */
export function areCapabilities(value: unknown): value is ClientCapabilities {
  if (!isObject(value)) return false;
  for (const name in value) if (!isCapability(name, value[name])) return false;
  return true;
}

/** Whether what a capability offers says nothing more: what it may say is for the SDK to check. */
function isCapability(name: string, value: unknown): boolean {
  if (!isObject(value)) return false;
  if (name === "roots") {
    return hasOnly(value, ["listChanged"]) && typeof (value["listChanged"] ?? false) === "boolean";
  }
  const isNamed = ["experimental", "extensions", "elicitation", "sampling"].includes(name);
  return isNamed && Object.values(value).every((one) => isObject(one) && hasOnly(one, []));
}

/** Whether a client says who it is with text alone. */
export function isImplementation(value: unknown): boolean {
  if (!isObject(value) || !hasOnly(value, implementationKeys)) return false;
  const { name, version } = value;
  if (typeof name !== "string" || typeof version !== "string") return false;
  for (const key in value) if (typeof value[key] !== "string") return false;
  return true;
}

const implementationKeys = ["name", "version", "title", "description", "websiteUrl"];
