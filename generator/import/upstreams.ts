import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { entriesOf, textIn, type ApiDocument, type NotImportable } from "./api-document.js";
import type { Operation } from "./operations.js";
import { isWebAddress, upperWords, type Credentials } from "./security-scheme.js";
import { credentialsOf, filledParameters } from "./security.js";

/** Names in a manifest that do not belong to this import. */
export interface TakenNames {
  readonly schemas: readonly string[];
  readonly upstreams: readonly string[];
  readonly env: readonly string[];
}

/** The upstream of an operation. */
export interface UsedUpstream {
  readonly name: string;
  /** Parameters that its credentials fill: `query key`. */
  readonly filledNames: ReadonlySet<string>;
  /** Why the upstream sends no credentials although the API accepts some. */
  readonly leftOut?: NotImportable;
}

/** Collects the upstreams of a manifest and their variables: one upstream for each server and kind of credentials. */
export class Upstreams {
  readonly upstreams = new Map<string, JsonObject>();
  readonly variables = new Map<string, JsonObject>();
  readonly #document: ApiDocument;
  readonly #api: string;
  readonly #namesByContent = new Map<string, string>();

  readonly #takenNames: ReadonlySet<string>;

  /**
   * @param api short name of the API, in lower case with hyphens
   * @param taken names in the manifest that do not belong to this import
   */
  constructor(document: ApiDocument, api: string, taken?: TakenNames) {
    this.#document = document;
    this.#api = api;
    this.#takenNames = new Set([...(taken?.upstreams ?? []), ...(taken?.env ?? [])]);
  }

  /**
   * The upstream that an operation is called at. It is added if there is none yet.
   *
   * @throws {NotImportable} if an upstream cannot send the credentials that the operation requires
   */
  usedBy(operation: Operation): UsedUpstream {
    const prefix = upperWords(this.#api).replace(/^(?=\d)/, "API_");
    const credentials = credentialsOf(this.#document, operation, prefix);
    const name = this.#nameFor(serverOf(this.#document, operation), credentials, prefix);
    const { leftOut } = credentials;
    return {
      name,
      filledNames: filledParameters(credentials),
      ...(leftOut !== undefined && { leftOut }),
    };
  }

  #nameFor(url: string, credentials: Credentials, prefix: string): string {
    const { headers, auth, certificate = {} } = credentials;
    const key = JSON.stringify([url, auth ?? null, certificate, headers]);
    const existing = this.#namesByContent.get(key);
    if (existing !== undefined) return existing;
    const name = this.#freeName(url, credentials.schemes);
    this.upstreams.set(name, {
      baseUrl: { env: this.#urlVariable(url, prefix) },
      ...(auth !== undefined && { auth }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...certificate,
    });
    for (const [variable, settings] of credentials.variables)
      this.variables.set(variable, settings);
    this.#namesByContent.set(key, name);
    return name;
  }

  readonly #urls = new Map<string, string>();

  #urlVariable(url: string, prefix: string): string {
    const variable = this.#urls.get(url);
    if (variable !== undefined) return variable;
    let count = this.#urls.size + 1;
    const numberedName = () => `${prefix}_URL${count === 1 ? "" : `_${count}`}`;
    while (this.#takenNames.has(numberedName())) count += 1;
    const name = numberedName();
    this.#urls.set(url, name);
    this.variables.set(
      name,
      isWebAddress(url)
        ? { type: "url", default: url, description: "Where the API is" }
        : {
            type: "url",
            required: true,
            description: `Where the API is; the document says only "${url}"`,
          },
    );
    return name;
  }

  #freeName(url: string, schemes: readonly string[]): string {
    const base = camelCase(this.#api);
    const isFree = (name: string) => !this.upstreams.has(name) && !this.#takenNames.has(name);
    if (isFree(base)) return base;
    const host = isWebAddress(url) ? new URL(url).hostname.split(".")[0] : "";
    const words = [base, ...(schemes.length === 0 ? ["public"] : schemes)].join(" ");
    for (const candidate of [camelCase(words), camelCase(`${words} ${host}`)]) {
      if (isFree(candidate)) return candidate;
    }
    let count = 2;
    while (!isFree(`${base}${count}`)) count += 1;
    return `${base}${count}`;
  }
}

/** `book-shop api` → `bookShopApi` */
function camelCase(text: string): string {
  const [first = "", ...others] = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const identifier = `${first.charAt(0).toLowerCase()}${first.slice(1)}${others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}`;
  return /^[a-z]/.test(identifier) ? identifier.slice(0, 40) : `api${identifier.slice(0, 40)}`;
}

/** The URL of an operation's server. Only a part of a URL if the document says no more. */
function serverOf(document: ApiDocument, operation: Operation): string {
  if (document.version === "2.0") return serverIn2(document.value, operation.value);
  const holders = [operation.value, operation.pathItem.value, document.value];
  for (const holder of holders) {
    const servers = ownValue(holder, "servers");
    const [server] = Array.isArray(servers) ? servers.filter(isJsonObject) : [];
    if (server !== undefined)
      return withoutSlash(withDefaults(textIn(server, "url") ?? "/", server));
  }
  return "/";
}

function serverIn2(root: JsonObject, operation: JsonObject): string {
  const host = textIn(root, "host");
  const basePath = textIn(root, "basePath") ?? "";
  const schemes = ownValue(operation, "schemes") ?? ownValue(root, "schemes");
  const allSchemes: JsonValue[] = Array.isArray(schemes) ? schemes : [];
  const scheme = allSchemes.includes("https") || allSchemes.length === 0 ? "https" : "http";
  return withoutSlash(host === undefined ? basePath || "/" : `${scheme}://${host}${basePath}`);
}

/** A server's URL with the defaults of its variables. */
function withDefaults(url: string, server: JsonObject): string {
  const variables = new Map(entriesOf(ownValue(server, "variables")));
  return url.replace(/\{([^{}]*)\}/g, (braces, name: string) => {
    const variable = variables.get(name);
    const fallback = isJsonObject(variable) ? ownValue(variable, "default") : undefined;
    return typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : braces;
  });
}

const withoutSlash = (url: string): string => (url.length > 1 ? url.replace(/\/+$/, "") : url);
