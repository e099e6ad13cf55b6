import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { AuthenticationUnavailable } from "../authentication/authenticate.js";
import { SettingError } from "../http/setting-error.js";
import { causeOf, fetchJson, longestWaitMs, UnusableAnswer } from "./fetch-json.js";

/** After what time keys are asked for again while calls go on with those that are known, in milliseconds. */
const freshMs = 600_000;

/** How often keys are asked for again because a token names an unknown one, in milliseconds. */
const unknownKeyMs = 60_000;

/** How long nobody is asked after a failure, in milliseconds. */
const pauseMs = 5_000;

/** Where the keys come from that tokens are verified with. */
export interface KeySource {
  /** The key that a token names. */
  readonly find: JWTVerifyGetKey;
  /** Those that are known now, the same as long as they are. */
  readonly current: JWTVerifyGetKey | undefined;
}

/** The keys of a file, which never change. @throws SettingError where it holds none */
export function keysOfFile(path: string, root: string): KeySource {
  try {
    const json = readFileSync(resolve(root, path), "utf8");
    const keys = createLocalJWKSet(JSON.parse(json) as JSONWebKeySet);
    return { find: keys, current: keys };
  } catch {
    throw new SettingError(`the file ${path} holds no set of keys (JWKS)`);
  }
}

/**
 * The keys of an issuer, from its metadata or from a page. Keys that are known go on working while the
 * issuer is down. A call waits for the issuer where no keys are known, or for a key that is not among
 * them: {@link longestWaitMs} at most, all calls for the same answer.
 */
export class IssuerKeys implements KeySource {
  readonly #load: (signal: AbortSignal) => Promise<JSONWebKeySet>;
  #keys: JWTVerifyGetKey | undefined;
  #loading: Promise<void> | undefined;
  #triedAt = -Infinity;
  #unknownAt = -Infinity;
  #problem: string | undefined;

  constructor(load: (signal: AbortSignal) => Promise<JSONWebKeySet>) {
    this.#load = load;
  }

  readonly find: JWTVerifyGetKey = async (header, token) => {
    const before = this.current;
    if (before === undefined) await this.#refresh();
    try {
      return await this.#known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // Where keys have come just now, the issuer has no others.
      if (before !== undefined) await this.#refreshForUnknown();
      return this.#known(header, token);
    }
  };

  /** Keys that are old are asked for again, and serve meanwhile. */
  get current(): JWTVerifyGetKey | undefined {
    const isOld = performance.now() - this.#triedAt >= freshMs;
    if (this.#keys !== undefined && isOld) void this.#refresh().catch(() => undefined);
    return this.#keys;
  }

  get #known(): JWTVerifyGetKey {
    if (this.#keys === undefined) throw this.#unavailable();
    return this.#keys;
  }

  /** While the issuer does not answer, whether it has a key cannot be said, and it is soon asked again. */
  async #refreshForUnknown(): Promise<void> {
    const hasAnswered = this.#loading === undefined && this.#problem === undefined;
    if (hasAnswered && performance.now() - this.#unknownAt < unknownKeyMs) return;
    this.#unknownAt = performance.now();
    await this.#refresh();
  }

  /** @throws AuthenticationUnavailable where no keys come */
  async #refresh(): Promise<void> {
    const mustPause = this.#problem !== undefined && performance.now() - this.#triedAt < pauseMs;
    if (this.#loading === undefined && mustPause) throw this.#unavailable();
    this.#loading ??= this.#replace().finally(() => (this.#loading = undefined));
    await this.#loading;
    if (this.#problem !== undefined) throw this.#unavailable();
  }

  /** Asks for the keys. Those that are known stay where the answer is of no use. */
  async #replace(): Promise<void> {
    try {
      this.#keys = createLocalJWKSet(await this.#load(AbortSignal.timeout(longestWaitMs)));
      this.#problem = undefined;
    } catch (error) {
      this.#problem = causeOf(error);
    }
    this.#triedAt = performance.now();
  }

  #unavailable(): AuthenticationUnavailable {
    return new AuthenticationUnavailable(`no keys from the issuer: ${this.#problem ?? "unknown"}`);
  }
}

/** Asks for the keys of a page. @throws UnusableAnswer where it has none */
export async function fetchKeys(url: URL, signal: AbortSignal): Promise<JSONWebKeySet> {
  const { keys } = await fetchJson(url, { signal });
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new UnusableAnswer(`${url.origin} answered with no keys`);
  }
  return { keys } as JSONWebKeySet;
}

/** Asks for the keys of an issuer, at the page that its metadata names (RFC 8414, OpenID Connect Discovery). */
export async function fetchIssuerKeys(
  issuers: readonly string[],
  signal: AbortSignal,
): Promise<JSONWebKeySet> {
  const [issuer = ""] = issuers;
  const { issuer: named, jwks_uri: page } = await fetchMetadata(issuer, signal);
  if (typeof named !== "string" || !issuers.includes(named)) {
    throw new UnusableAnswer(`the metadata of ${issuer} is that of another issuer`);
  }
  if (typeof page !== "string" || !URL.canParse(page)) {
    throw new UnusableAnswer(`the metadata of ${issuer} names no keys`);
  }
  return fetchKeys(new URL(page), signal);
}

async function fetchMetadata(
  issuer: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(issuer);
  const path = url.pathname.replace(/\/$/, "");
  const oauth = new URL(`/.well-known/oauth-authorization-server${path}`, url);
  try {
    return await fetchJson(oauth, { signal });
  } catch (error) {
    // Whoever has no such page may answer anything: a page for people, a redirect to one.
    if (!(error instanceof UnusableAnswer)) throw error;
    return fetchJson(new URL(`${path}/.well-known/openid-configuration`, url), { signal });
  }
}
