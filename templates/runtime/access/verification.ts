import type {
  ProtectedResource,
  Verification,
  VerificationServer,
} from "../authentication/authenticate.js";
import type { Authentication } from "../authentication/authentication.js";
import { textOf, type SettingValue } from "./settings.js";

/** Knows callers by one kind of credentials. */
export interface TokenVerifier {
  /** Whether a token is of this kind; no other verifier sees it then. */
  accepts(token: string): boolean;
  /** @throws TokenRefused for a token that is not valid here */
  verify(token: string): Authentication | Promise<Authentication>;
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

/** Puts verifiers together: the first that accepts a token decides. */
export function verification(
  verifiers: readonly TokenVerifier[],
  { log }: VerificationServer,
  resource?: ResourceSettings,
): Verification {
  return {
    verify: async (token) => {
      if (token === undefined) return undefined;
      try {
        return await verifiers.find((verifier) => verifier.accepts(token))?.verify(token);
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        log.info("a token was refused", { cause: error.message });
        return undefined;
      }
    },
    ...(resource === undefined ? {} : { protectedResource: described(resource) }),
  };
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
