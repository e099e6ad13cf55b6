import type { ClientCapabilities } from "@modelcontextprotocol/server";
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

/** A request with nothing about it that only the SDK knows how to answer. */
export interface FastPathRequest {
  readonly id: string | number;
  readonly method: FastPathMethod;
  readonly parameters: RequestParameters;
  /** What the client has declared. */
  readonly capabilities: ClientCapabilities;
}

/** The methods that are answered without the SDK, each with the parameters that it may have. */
const fastPathMethods = {
  "server/discover": [],
  "tools/list": [],
  "resources/list": [],
  "resources/templates/list": [],
  "prompts/list": [],
  "tools/call": ["name", "arguments"],
  "resources/read": ["uri"],
  "prompts/get": ["name", "arguments"],
  "completion/complete": ["ref", "argument", "context"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FastPathMethod = keyof typeof fastPathMethods;

export function isFastPathMethod(method: unknown): method is FastPathMethod {
  return typeof method === "string" && Object.hasOwn(fastPathMethods, method);
}

/**
 * A parsed message as a request of 2026-07-28, or undefined where there is any doubt about it: the
 * SDK then looks at the same message and finds the right words. Nothing is refused here.
 */
export function readFastPathRequest(message: unknown): FastPathRequest | undefined {
  const request = readRequest(message);
  if (request === undefined || !isFastPathMethod(request.method)) return undefined;
  const { id, method, params } = request;
  if (!isObject(params)) return undefined;
  const capabilities = capabilitiesIn(params["_meta"]);
  if (capabilities === undefined) return undefined;
  if (!hasParametersOf(method, params, ["_meta"])) return undefined;
  return { id, method, parameters: params, capabilities };
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

/** Whether parameters are only those that a plain request of a method has, and some more. */
export function hasParametersOf(
  method: FastPathMethod,
  parameters: RequestParameters,
  more: readonly string[],
): boolean {
  const own: readonly string[] = fastPathMethods[method];
  for (const key in parameters) if (!own.includes(key) && !more.includes(key)) return false;
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
  for (const name in value) if (!capabilityChecks.get(name)?.(value[name])) return false;
  return true;
}

const capabilityChecks: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["experimental", holdsObjects],
  ["extensions", holdsObjects],
  ["elicitation", holdsObjects],
  ["sampling", holdsObjects],
  ["roots", isRoots],
]);

function isRoots(value: unknown): boolean {
  return (
    isObject(value) &&
    hasOnly(value, ["listChanged"]) &&
    ["undefined", "boolean"].includes(typeof value["listChanged"])
  );
}

function holdsObjects(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isPlainObject);
}

/** Whether an object says nothing more: what it may say is for the SDK to check. */
function isPlainObject(value: unknown): boolean {
  return isObject(value) && hasOnly(value, []);
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
