import type { Authentication } from "../authentication/authentication.js";
import type { Acting } from "../context/acting.js";
import type { StopSignal } from "../engine/cancellation.js";
import type { AuthDefinition, PerCallerAuth, TokenClient } from "./definition.js";
import type { Masking } from "../backends/masking.js";
import { isHeaderText } from "./parameters.js";
import { SettingError, type Settings } from "./settings.js";
import { encode } from "./styles.js";
import type { TokenSource } from "./token-request.js";

/** The parts of a request that authenticate it. */
export interface Credentials {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A cookie in the form of the `cookie` header: `name=value`. */
  readonly cookie?: string;
  /** Masks them in answers; absent if the masking of the upstream does. */
  readonly masking?: Masking;
  /** In whose name the upstream is asked; absent if in that of this server. */
  readonly acting?: Acting;
}

/** The credentials that are the same for all requests. */
type FixedAuth = Exclude<AuthDefinition, TokenClient>;

/** What links accounts of callers with an upstream. */
export interface AccountSource extends TokenSource {
  readonly auth: PerCallerAuth;
  readonly settings: Settings;
}

/** Makes authenticators of the accounts that callers have linked. */
export interface CallerAccounts {
  /** @param isTest whether callers get accounts without a sign-in */
  authenticator(source: AccountSource, tokenUrl: URL, isTest: boolean): Authenticator;
}

/** Provides the credentials of requests. */
export interface Authenticator {
  /** @param caller who calls, for credentials that depend on it */
  credentials(signal: StopSignal, caller?: Authentication): Promise<Credentials> | Credentials;
  /** Must be called when the upstream refuses the credentials. @returns whether new ones can be fetched */
  refused(credentials: Credentials, caller?: Authentication): boolean;
}

/** Credentials from the environment, if the variable is set. @throws SettingError if no header can hold them */
export function fixedCredentials(
  auth: FixedAuth,
  settings: Settings,
  masking: Masking,
): Authenticator {
  const credentials = credentialsOf(auth, settings, masking);
  return { credentials: () => credentials, refused: () => false };
}

function credentialsOf(auth: FixedAuth, settings: Settings, masking: Masking): Credentials {
  if (auth.kind === "basic") {
    const username = settings.text(auth.username);
    const password = settings.text(auth.password);
    if (username === undefined || password === undefined) return {};
    return { headers: { authorization: basic(username, password, masking) } };
  }
  const setting = auth.kind === "bearer" ? auth.token : auth.value;
  const value = settings.text(setting);
  if (value === undefined) return {};
  // The usual cause is a line break from a settings file.
  if (!isHeaderText(value)) {
    const origin = typeof setting === "string" ? "a credential" : setting.env;
    throw new SettingError(`${origin} has a character that no header can hold`);
  }
  masking.add(value);
  if (auth.kind === "bearer") return { headers: { authorization: `Bearer ${value}` } };
  if (auth.kind === "header") return { headers: { [auth.name.toLowerCase()]: value } };
  if (auth.kind === "query") return { query: { [auth.name]: value } };
  return { cookie: `${auth.name}=${encode(value)}` };
}

/** The value of the header `authorization` for basic authentication. */
export function basic(username: string, password: string, masking: Masking): string {
  const pair = `${username}:${password}`;
  masking.add(password);
  masking.add(pair);
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
