import type {
  ProtectedResource,
  Verification,
  VerificationServer,
} from "../authentication/authenticate.js";
import { isKnownByToken, type Authentication } from "../authentication/authentication.js";
import { noteCallerToken } from "../authentication/caller-tokens.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import { CountedLines } from "../observe/refusals.js";
import { textOf, type SettingValue } from "./settings.js";

/** Identifies callers by one kind of credentials. */
export interface TokenVerifier {
  /**
   * Returns the sender of a token. Undefined if the token is of another kind, for other verifiers.
   *
   * @throws TokenRefused if this server must not accept the token
   */
  verify(token: string): Awaitable<Authentication> | undefined;
}

/** Thrown if a token is not accepted. The message is logged, but not sent to the caller. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

/** The description of this server as an OAuth resource. */
export interface ResourceSettings {
  readonly resource: SettingValue;
  readonly authorizationServers: readonly SettingValue[];
  readonly scopePrefix?: string;
  readonly initialScopes?: readonly string[];
}

/** Combines verifiers. The first one that returns a caller or throws decides about a token. */
export function verification(
  verifiers: readonly TokenVerifier[],
  { log }: VerificationServer,
  resource?: ResourceSettings,
): Verification {
  const refusedTokens = new CountedLines((data) => log.info("a token was refused", data));
  return {
    verify: (token) =>
      recover<Authentication | undefined>(
        () => (token === undefined ? undefined : verifyAndNote(verifiers, token)),
        (error) => {
          if (!(error instanceof TokenRefused)) throw error;
          refusedTokens.add({ cause: error.message });
          return undefined;
        },
      ),
    ...(resource === undefined ? {} : { protectedResource: protectedResourceOf(resource) }),
  };
}

/** Verifies a token. Keys of machines are no tokens, so that nobody can act for them elsewhere. */
function verifyAndNote(
  verifiers: readonly TokenVerifier[],
  token: string,
): Awaitable<Authentication | undefined> {
  const caller = verifyWithFirst(verifiers, token);
  return caller === undefined
    ? undefined
    : after(caller, (known) => {
        if (isKnownByToken(known)) noteCallerToken(known, token);
        return known;
      });
}

function verifyWithFirst(
  verifiers: readonly TokenVerifier[],
  token: string,
): ReturnType<TokenVerifier["verify"]> {
  for (const verifier of verifiers) {
    const caller = verifier.verify(token);
    if (caller !== undefined) return caller;
  }
  return undefined;
}

function protectedResourceOf({
  resource,
  authorizationServers,
  ...scopes
}: ResourceSettings): ProtectedResource {
  return {
    resource: textOf(resource, "auth.resource"),
    authorizationServers: authorizationServers.map((issuer) => textOf(issuer, "an issuer of auth")),
    ...scopes,
  };
}
