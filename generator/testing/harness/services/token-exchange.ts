import { createLocalJWKSet, jwtVerify, type JWK } from "jose";
import { errors, type default as Provider } from "oidc-provider";

export const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** How long exchanged tokens are valid, in seconds. */
const LIFETIME = 300;

/**
 * Lets `oidc-provider` exchange tokens (RFC 8693), which it leaves to grants of one's own: a client gives an access token of a
 * person that this provider has signed, and gets one of the same person for `audience`.
 *
 * @param key the key that the provider signs with
 */
export function exchangeTokens(provider: Provider, { d: _private, ...key }: JWK): void {
  const keys = createLocalJWKSet({ keys: [key] });
  const parameters = ["subject_token", "subject_token_type", "audience", "scope"];
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    async (context) => {
      const { client, params = {} } = context.oidc;
      const { subject_token: subject, audience, scope } = params as Record<string, string>;
      if (client === undefined || subject === undefined || audience === undefined)
        throw new errors.InvalidRequest("subject_token and audience are required");
      const { payload } = await jwtVerify(subject, keys, { issuer: provider.issuer }).catch(() => {
        throw new errors.InvalidGrant("subject_token is not valid");
      });
      const token = new provider.AccessToken({
        accountId: payload.sub ?? "",
        client,
        gty: "token_exchange",
        ...(scope !== undefined && { scope }),
        expiresWithSession: false,
      } as ConstructorParameters<typeof provider.AccessToken>[0]);
      token.resourceServer = new provider.ResourceServer(audience, {
        scope: scope ?? "",
        audience,
        accessTokenTTL: LIFETIME,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "ES256" } },
      });
      context.body = {
        access_token: await token.save(),
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: LIFETIME,
        scope,
      };
    },
    parameters,
  );
}
