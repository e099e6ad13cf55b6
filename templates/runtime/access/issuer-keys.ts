import { resolve } from "node:path";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { AuthenticationUnavailable } from "../authentication/authenticate.js";
import { readRegularFile, UnusableFileError } from "../engine/regular-file.js";
import { SettingError } from "../engine/errors.js";
import { AuthorizationServer, causeOf, maxWaitMs, UnusableAnswer } from "./authorization-server.js";

/** The age of cached keys at which they are fetched again, in the background, in milliseconds. */
const refreshAfterMs = 600_000;

/** The minimum time between two fetches of keys for tokens that name an unknown key, in milliseconds. */
const unknownKeyIntervalMs = 60_000;

/** The minimum time between a failed fetch and the next one, in milliseconds. */
const retryDelayMs = 5_000;

/** A source of the keys that verify tokens. */
export interface KeySource {
  /** Returns the key that a token names. */
  readonly find: JWTVerifyGetKey;
  /**
   * Returns the cached keys, and may start to fetch newer ones in the background. The value changes only when
   * keys are fetched. Undefined before the first fetch.
   */
  cachedKeys(): JWTVerifyGetKey | undefined;
}

/** Reads keys from a file, once. @throws SettingError if the file has no keys */
export function keysOfFile(path: string, root: string): KeySource {
  try {
    const json = readRegularFile(resolve(root, path)).toString("utf8");
    const keys = createLocalJWKSet(JSON.parse(json) as JSONWebKeySet);
    return { find: keys, cachedKeys: () => keys };
  } catch (error) {
    const reason = error instanceof UnusableFileError ? `: ${error.message}` : "";
    throw new SettingError(`the file ${path} holds no set of keys (JWKS)${reason}`);
  }
}

/**
 * Fetches and caches the keys of an issuer. Cached keys stay valid while the issuer is down. A call waits
 * for the issuer only if no keys are cached or its key is not among them. It waits {@link maxWaitMs} at
 * most, and all calls wait for the same request.
 */
export class IssuerKeys implements KeySource {
  readonly #load: (signal: AbortSignal) => Promise<JSONWebKeySet>;
  #keys: JWTVerifyGetKey | undefined;
  #pendingFetch: Promise<void> | undefined;
  #lastFetchAt = -Infinity;
  #unknownKeyAt = -Infinity;
  #problem: string | undefined;

  constructor(load: (signal: AbortSignal) => Promise<JSONWebKeySet>) {
    this.#load = load;
  }

  readonly find: JWTVerifyGetKey = async (header, token) => {
    const cachedKeys = this.cachedKeys();
    if (cachedKeys === undefined) await this.#refresh();
    try {
      return await this.#requireKeys()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // If the keys were fetched just now, another fetch would find no others.
      if (cachedKeys !== undefined) await this.#refreshForUnknown();
      return this.#requireKeys()(header, token);
    }
  };

  /** Starts to fetch old keys again. They stay in use until the new keys arrive. */
  cachedKeys(): JWTVerifyGetKey | undefined {
    const isOld = performance.now() - this.#lastFetchAt >= refreshAfterMs;
    if (this.#keys !== undefined && isOld) void this.#refresh().catch(() => undefined);
    return this.#keys;
  }

  /** @throws AuthenticationUnavailable if no keys are cached */
  #requireKeys(): JWTVerifyGetKey {
    if (this.#keys === undefined) throw this.#unavailable();
    return this.#keys;
  }

  /** Fetches the keys, unless this was done for an unknown key a short time ago. */
  async #refreshForUnknown(): Promise<void> {
    const hasAnswered = this.#pendingFetch === undefined && this.#problem === undefined;
    if (hasAnswered && performance.now() - this.#unknownKeyAt < unknownKeyIntervalMs) return;
    this.#unknownKeyAt = performance.now();
    await this.#refresh();
  }

  /** @throws AuthenticationUnavailable if the keys cannot be fetched */
  async #refresh(): Promise<void> {
    const mustWait =
      this.#problem !== undefined && performance.now() - this.#lastFetchAt < retryDelayMs;
    if (this.#pendingFetch === undefined && mustWait) throw this.#unavailable();
    this.#pendingFetch ??= this.#fetch().finally(() => (this.#pendingFetch = undefined));
    await this.#pendingFetch;
    if (this.#problem !== undefined) throw this.#unavailable();
  }

  /** Fetches the keys and caches them. If that fails, the cached keys stay. */
  async #fetch(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(await this.#load(AbortSignal.timeout(maxWaitMs)));
      this.#problem = undefined;
    } catch (error) {
      this.#problem = causeOf(error);
    }
    this.#lastFetchAt = performance.now();
  }

  #unavailable(): AuthenticationUnavailable {
    return new AuthenticationUnavailable(`no keys from the issuer: ${this.#problem ?? "unknown"}`);
  }
}

/** Fetches the keys at a URL. @throws UnusableAnswer if there are none */
export async function fetchKeys(
  server: AuthorizationServer,
  url: URL,
  signal: AbortSignal,
): Promise<JSONWebKeySet> {
  const { keys } = await server.fetchJson(url, { signal });
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new UnusableAnswer(`${url.origin} answered with no keys`);
  }
  return { keys } as JSONWebKeySet;
}

/** Fetches an issuer's keys at the URL that its metadata names (RFC 8414, OpenID Connect Discovery). */
export async function fetchIssuerKeys(
  server: AuthorizationServer,
  issuers: readonly string[],
  signal: AbortSignal,
): Promise<JSONWebKeySet> {
  const [issuer = ""] = issuers;
  const { issuer: metadataIssuer, jwks_uri: keysUrl } = await fetchMetadata(server, issuer, signal);
  if (typeof metadataIssuer !== "string" || !issuers.includes(metadataIssuer)) {
    throw new UnusableAnswer(`the metadata of ${issuer} is that of another issuer`);
  }
  if (typeof keysUrl !== "string" || !URL.canParse(keysUrl)) {
    throw new UnusableAnswer(`the metadata of ${issuer} names no keys`);
  }
  return fetchKeys(server, new URL(keysUrl), signal);
}

async function fetchMetadata(
  server: AuthorizationServer,
  issuer: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, "");
  const oauthUrl = new URL(`/.well-known/oauth-authorization-server${path}`, url);
  try {
    return await server.fetchJson(oauthUrl, { signal });
  } catch (error) {
    // An issuer without this page may answer with anything, such as an HTML page or a redirect.
    if (!(error instanceof UnusableAnswer)) throw error;
    return server.fetchJson(new URL(`${path}/.well-known/openid-configuration`, url), { signal });
  }
}
