import type { Authentication } from "../authentication/authentication.js";
import type { Masking } from "../backends/masking.js";
import { actingFor, type Acting } from "../context/acting.js";
import { ToolError } from "../engine/errors.js";
import { signerOf, type ClientSettings } from "./client-authentication.js";
import type { CallerGrant, JwtBearer, TokenExchange } from "./definition.js";
import type { Values } from "./parameters.js";

/** What is requested for a caller: the fields of the request, and who then acts for whom. */
export interface RequestedGrant {
  readonly fields: Values;
  readonly acting: Acting;
}

/**
 * Makes the request for a token of the upstream for a caller.
 *
 * @param token the caller's own, which was verified
 * @param shown masks what must not be seen of the request
 * @throws ToolError if the caller is not known well enough
 */
export type GrantFor = (
  token: string,
  caller: Authentication,
  shown: Masking,
) => RequestedGrant | Promise<RequestedGrant>;

/** How tokens for callers are requested. @throws SettingError if a private key cannot be used */
export function callerGrant(auth: CallerGrant, client: ClientSettings): GrantFor {
  if (auth.kind === "jwtBearer") return signedGrant(auth, client);
  const actor = client.settings.text(auth.clientId ?? "");
  return (token, caller) => ({ fields: grantWith(token, auth), acting: actingFor(actor, caller) });
}

/** The token itself: RFC 8693, or the form that Microsoft Entra has for it. */
function grantWith(token: string, { kind, scope, audience, resource }: TokenExchange): Values {
  if (kind === "onBehalfOf") {
    return {
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: token,
      requested_token_use: "on_behalf_of",
      scope,
    };
  }
  return {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: token,
    subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    scope,
    audience,
    resource,
  };
}

/** What this server signs about the caller (RFC 7523, section 2.1). Google reads the scopes there, others in the form. */
function signedGrant(auth: JwtBearer, client: ClientSettings): GrantFor {
  const { settings, name } = client;
  const sign = signerOf(auth.key, auth.keyId, client);
  const iss = settings.text(auth.issuer) ?? "";
  const aud = settings.text(auth.audience ?? auth.tokenUrl) ?? "";
  const { scope } = auth;
  return async (_token, caller, shown) => {
    const sub = subjectIn(caller, "claim" in auth.subject ? auth.subject.claim : "sub", name);
    const assertion = await sign({ iss, sub, aud, scope });
    shown.add(assertion);
    const fields = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion, scope };
    return { fields, acting: actingFor(iss, caller, sub) };
  };
}

/** The name of the caller at the upstream. @throws ToolError if the caller's token does not vouch for one */
function subjectIn(
  { principal, claims = {} }: Authentication,
  claim: string,
  upstream: string,
): string {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const refused = (reason: string): ToolError =>
    new ToolError(
      `The upstream ${upstream} cannot be asked in the name of the caller: the caller's token ${reason}.`,
    );
  // A program has a name of its own, which may be that of a person elsewhere.
  if (claim === "sub" && principal.startsWith("client:")) throw refused("is of a program");
  if (typeof value !== "string" || value === "") throw refused(`has no claim ${claim}`);
  // People may state any address before somebody has verified it.
  if (claim === "email" && /^false$/i.test(String(claims["email_verified"]))) {
    throw refused("has an email that is not verified");
  }
  return value;
}
