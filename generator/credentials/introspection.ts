import type { IntrospectionModel } from "../model/auth.js";
import type { ManifestIntrospection } from "../model/manifest.js";
import { code } from "../text/markdown.js";
import type { CredentialDefinition } from "./definition.js";
import { settingInWords, tokenScopes } from "./settings.js";

const USUAL_CACHE_MS = 10_000;

/** Tokens that an authorization server is asked about, of any kind. */
export const introspection: CredentialDefinition<IntrospectionModel, ManifestIntrospection> = {
  words: "a token of an authorization server",
  isToken: true,
  isList: false,
  settings: { issuer: "url", url: "url", audience: "text", client: "text", secret: "secret" },
  callerType: "IntrospectedCaller",
  factories: ["introspection"],
  packages: [],

  read: ({ url, client, secret, issuer, audience, scopes, cacheMs }, usualAudience) => ({
    kind: "introspection",
    ...{ url, client, secret, audience: audience ?? usualAudience },
    ...(issuer !== undefined && { issuer }),
    ...(scopes !== undefined && { scopes: tokenScopes(scopes) }),
    cacheMs: cacheMs ?? USUAL_CACHE_MS,
  }),

  accepted: ({ url }) => `tokens that ${settingInWords(url)} knows`,

  factoryCall: ({ kind: _kind, issuer: _issuer, ...settings }) => ({
    entry: "introspection",
    name: "introspection",
    given: { settings },
  }),

  sentence: ({ url, cacheMs }) =>
    `Other tokens, which the server verifies by introspection at ${code(settingInWords(url))}. ` +
    `An answer is valid for ${cacheMs / 1_000} s.`,
  asksServer: () => true,
  mayBeWithdrawn: () => true,
};
