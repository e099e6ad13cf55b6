/** The schemes of the web, whose origins are named one by one. */
const webSchemes = [
  "http",
  "https",
  "ws",
  "wss",
  "ftp",
  "file",
  "data",
  "blob",
  "javascript",
  "about",
];

/**
 * The text of an origin as browsers send it, in lower case; undefined for `null` and for what has a user, a path or a query.
 * `URL.origin` is not used: it is `null` for the schemes of apps.
 */
export function originText(origin: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/@?#\\\s]+$/i.test(origin)) return undefined;
  if (!/^https?:/i.test(origin)) return origin.toLowerCase();
  if (!URL.canParse(origin)) return undefined;
  const { protocol, host } = new URL(origin);
  return `${protocol}//${host}`;
}

/**
 * The pattern of an entry of `allowedOrigins` whose end changes: any port of a loopback name, or any id with the scheme of an
 * app. Undefined for all other entries.
 */
function patternOf(entry: string): RegExp | undefined {
  const [, page] = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\*$/i.exec(entry) ?? [];
  if (page !== undefined) return new RegExp(`^${escaped(page)}:[0-9]{1,5}$`, "i");
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\/\*$/i.exec(entry) ?? [];
  if (scheme === undefined || webSchemes.includes(scheme.toLowerCase())) return undefined;
  return new RegExp(`^${escaped(scheme)}://[a-z0-9._~-]+(?::[0-9]{1,5})?$`, "i");
}

/** Whether an entry of `allowedOrigins` is a pattern: any port of a loopback name, or any id of an app. */
export function isOriginPattern(entry: string): boolean {
  return patternOf(entry) !== undefined;
}

function escaped(text: string): string {
  return text.replaceAll(/[.[\]+]/g, "\\$&");
}

/** The origins that a transport allows. */
export class AllowedOrigins {
  readonly #exact: ReadonlySet<string | undefined>;
  readonly #patterns: readonly RegExp[];

  constructor(allowed: readonly string[]) {
    this.#patterns = allowed.flatMap((entry) => patternOf(entry) ?? []);
    this.#exact = new Set(allowed.filter((entry) => !isOriginPattern(entry)).map(originText));
  }

  /** @param origin the {@link originText} of an origin */
  has(origin: string): boolean {
    return this.#exact.has(origin) || this.#patterns.some((pattern) => pattern.test(origin));
  }
}
