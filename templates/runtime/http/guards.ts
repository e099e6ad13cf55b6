import { AllowedOrigins, originText } from "./allowed-origins.js";
import type { NetworkDefinition } from "./definition.js";
import type { RequestHead, RequestHeaders } from "./request-head.js";

const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** The addresses 127.0.0.0/8. A name may begin like them: `127.example.com`. */
const loopbackAddress = /^127(?:\.(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}$/;

/** Whether a server that listens on this host can be reached only from this machine. The compiler asks it too. */
export function isLoopback(host: string): boolean {
  return loopbackNames.includes(bracketed(host)) || loopbackAddress.test(host);
}

/** Most headers that a request may have. */
const maxHeaders = 200;

/** Headers that must not be repeated: Node would read only the first, or join all. */
const singleHeaders: ReadonlySet<string> = new Set([
  "host",
  "origin",
  "authorization",
  "content-type",
  "content-encoding",
  "mcp-session-id",
  "last-event-id",
]);

/** The refusal of a request with too many or ambiguous headers; undefined for other requests. */
export function headersProblem({
  headers,
  rawHeaders,
}: Pick<RequestHead, "headers" | "rawHeaders">): { status: number; message: string } | undefined {
  if (rawHeaders.length > 2 * maxHeaders) return { status: 431, message: "Too many headers" };
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (singleHeaders.has(name) && seen.has(name)) {
      return { status: 400, message: `More than one header ${name}` };
    }
    seen.add(name);
  }
  return undefined;
}

/** Decides which hosts and origins a request may name, to prevent DNS rebinding. */
export class HttpGuards {
  readonly #hosts: ReadonlySet<string>;
  /** The last allowed `Host` header, since the next one is usually the same. */
  #allowedHost = "localhost";
  readonly #origins: AllowedOrigins;
  readonly #corsOrigins: AllowedOrigins;
  /** Whether the server has its own page, which calls the server. */
  readonly #hasPage: boolean;

  constructor(definition: NetworkDefinition) {
    const { host, allowedHosts, allowedOrigins } = definition;
    this.#hosts = new Set([...loopbackNames, bracketed(host), ...allowedHosts.map(bracketed)]);
    this.#origins = new AllowedOrigins(allowedOrigins);
    const hasCors = definition.type !== "http" || definition.cors;
    this.#hasPage = definition.type === "http" && definition.page !== undefined;
    this.#corsOrigins = hasCors ? this.#origins : new AllowedOrigins([]);
  }

  /** Whether the `Host` header names this server. The port may be any. */
  allowsHost(header: string | undefined): boolean {
    if (header === this.#allowedHost) return true;
    if (header === undefined || /[@/\\?#\s]/.test(header)) return false;
    const url = `http://${header}`;
    if (!URL.canParse(url) || !this.#hosts.has(new URL(url).hostname)) return false;
    this.#allowedHost = header;
    return true;
  }

  /**
   * Whether a page of this origin may call. Clients other than browsers send no `Origin`.
   *
   * @param request the request's headers, whose `Host` is allowed
   */
  allowsOrigin(header: string | undefined, request: RequestHeaders = {}): boolean {
    if (header === undefined) return true;
    const origin = originText(header);
    if (origin === undefined) return false;
    if (this.#hasPage && isOwnPage(origin, request)) return true;
    return isLoopbackPage(origin) || this.#origins.has(origin);
  }

  /** The CORS headers that let a page read the answer. Only origins of the manifest get them. */
  corsHeaders(header: string | undefined): Readonly<Record<string, string>> {
    const origin = header === undefined ? undefined : originText(header);
    if (header === undefined || origin === undefined || !this.#corsOrigins.has(origin)) return {};
    return {
      "access-control-allow-origin": header,
      "access-control-expose-headers": "mcp-protocol-version, mcp-session-id, www-authenticate",
      vary: "origin",
    };
  }

  /** The headers of the answer to a CORS preflight; undefined if the origin gets no CORS. */
  preflightHeaders(
    origin: string | undefined,
    requestedHeaders: string | undefined,
    methods: readonly string[],
  ): Readonly<Record<string, string>> | undefined {
    const cors = this.corsHeaders(origin);
    if (!("vary" in cors)) return undefined;
    return {
      ...cors,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": requestedHeaders ?? "content-type",
      "access-control-max-age": "600",
    };
  }
}

/** Whether an origin is a web page at a loopback name, with any port. */
function isLoopbackPage(origin: string): boolean {
  return /^https?:/.test(origin) && loopbackNames.includes(new URL(origin).hostname);
}

/**
 * Whether an origin is that of the server's own page. A proxy that ends TLS may drop the port from `Host`; browsers then say
 * in a header that no page can set that the page calls its own origin.
 */
function isOwnPage(origin: string, headers: RequestHeaders): boolean {
  const host = headers.host?.toLowerCase() ?? "";
  const [, authority = ""] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
  if (authority === host) return true;
  const isSameOrigin = origin.startsWith("https:") && headers["sec-fetch-site"] === "same-origin";
  return isSameOrigin && withoutPort(authority) === withoutPort(host);
}

function withoutPort(authority: string): string {
  return authority.replace(/:[0-9]+$/, "");
}

/** A host in the form of URLs: an IPv6 address in brackets. */
export function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host.toLowerCase();
}
