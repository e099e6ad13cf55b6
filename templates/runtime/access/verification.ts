import type {
  ProtectedResource,
  Verification,
  VerificationServer,
} from "../authentication/authenticate.js";
import type { Authentication } from "../authentication/authentication.js";
import { recover, type Awaitable } from "../engine/awaitable.js";
import { countedLines } from "../observe/refusal-counts.js";
import { textOf, type SettingValue } from "./settings.js";

/** Knows callers by one kind of credentials. */
export interface TokenVerifier {
  /**
   * Who sends a token; undefined where it is of another kind, which other verifiers may know.
   *
   * @throws TokenRefused for a token that is not valid here
   */
  verify(token: string): Awaitable<Authentication> | undefined;
}

/** Why a token is not valid here. The log has it, the caller's answer has not. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}

/** The server as a resource that tokens are meant for. */
export interface ResourceSettings {
  readonly resource: SettingValue;
  readonly authorizationServers: readonly SettingValue[];
  readonly scopePrefix?: string;
}

/** Puts verifiers together: the first that knows a token's kind decides. */
export function verification(
  verifiers: readonly TokenVerifier[],
  { log }: VerificationServer,
  resource?: ResourceSettings,
): Verification {
  const tellOfRefusal = countedLines((data) => log.info("a token was refused", data));
  return {
    verify: (token) =>
      recover<Authentication | undefined>(
        () => (token === undefined ? undefined : verifiedByFirst(verifiers, token)),
        (error) => {
          if (!(error instanceof TokenRefused)) throw error;
          tellOfRefusal({ cause: error.message });
          return undefined;
        },
      ),
    ...(resource === undefined ? {} : { protectedResource: described(resource) }),
  };
}

function verifiedByFirst(
  verifiers: readonly TokenVerifier[],
  token: string,
): ReturnType<TokenVerifier["verify"]> {
  for (const verifier of verifiers) {
    const caller = verifier.verify(token);
    if (caller !== undefined) return caller;
  }
  return undefined;
}

function described({
  resource,
  authorizationServers,
  scopePrefix,
}: ResourceSettings): ProtectedResource {
  return {
    resource: textOf(resource, "auth.resource"),
    authorizationServers: authorizationServers.map((issuer) => textOf(issuer, "an issuer of auth")),
    ...(scopePrefix === undefined ? {} : { scopePrefix }),
  };
}
