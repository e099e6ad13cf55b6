import { expandedIssuer } from "../model/auth-presets.js";
import type { JwtIssuerModel } from "../model/auth.js";
import type { ManifestJwtIssuer } from "../model/manifest.js";
import { code } from "../text/markdown.js";
import type { CredentialDefinition } from "./definition.js";
import { settingInWords, tokenScopes } from "./settings.js";

/** Nearly every authorization server signs with one of these. */
const USUAL_ALGORITHMS = ["ES256", "RS256"];

/** Tokens that an issuer has signed. */
export const jwt: CredentialDefinition<JwtIssuerModel, ManifestJwtIssuer> = {
  words: "a token of an authorization server",
  isToken: true,
  isList: true,
  settings: { issuer: "url", jwks: "url", audience: "text" },
  callerType: "JwtCaller",
  factories: ["jwt"],
  packages: ["jose"],

  read: (given, usualAudience) => {
    const { issuer, jwks, audience, algorithms, scopes, require, strict } = expandedIssuer(given);
    return {
      kind: "jwt",
      issuer: issuer ?? "",
      ...(jwks !== undefined && { jwks }),
      audience: audience ?? usualAudience,
      algorithms: algorithms ?? USUAL_ALGORITHMS,
      ...(scopes !== undefined && { scopes: tokenScopes(scopes) }),
      ...(require !== undefined && { require }),
      ...(strict === true && { strict }),
    };
  },

  accepted: (given) => `tokens of ${settingInWords(expandedIssuer(given).issuer)}`,
  acceptedOnlyBy: (given, givenByOther) => {
    const [one, other] = [expandedIssuer(given), expandedIssuer(givenByOther)];
    const tokens = `tokens of ${settingInWords(one.issuer)}`;
    return [
      ...onlyIn(algorithmsOf(one), algorithmsOf(other)).map((name) => `${name} ${tokens}`),
      ...onlyIn(audienceOf(one), audienceOf(other)).map((name) => `${tokens} for ${name}`),
      ...onlyIn(claimsOf(other), claimsOf(one)).map((claim) => `${tokens} without ${claim}`),
      ...(other.strict === true && one.strict !== true
        ? [`${tokens} without the type at+jwt`]
        : []),
    ];
  },

  factoryCall: ({ kind: _kind, ...settings }) => ({
    entry: "jwt",
    name: "jwt",
    given: { settings },
  }),

  sentence: ({ issuer, audience, algorithms, require = {} }) => {
    const claims = Object.entries(require).map(([name, value]) => code(`${name}: ${value}`));
    const signed = `JWTs signed with ${algorithms.map(code).join(", ")}`;
    const meant = audience.map((one) => code(settingInWords(one))).join(" or ");
    const having = claims.length === 0 ? "" : `, with ${claims.join(", ")}`;
    return `Tokens of ${code(settingInWords(issuer))}: ${signed}, for the audience ${meant}${having}.`;
  },
  // Keys that are in a file are asked from no server.
  asksServer: ({ jwks }) => typeof jwks !== "string" || /^https?:/.test(jwks),
  askedWhen:
    "Tokens with known keys need no request. A new key is fetched when a token names it, at most once a minute, " +
    "and known keys are fetched again every ten minutes.",
  mayBeWithdrawn: () => false,
};

type Issuer = ReturnType<typeof expandedIssuer>;

const algorithmsOf = ({ algorithms = USUAL_ALGORITHMS }: Issuer): readonly string[] => algorithms;

const audienceOf = ({ audience }: Issuer): string[] =>
  audience?.map(settingInWords) ?? ["the resource"];

const claimsOf = ({ require = {} }: Issuer): string[] =>
  Object.entries(require).map(([claim, value]) => `${claim} ${value}`);

function onlyIn(texts: readonly string[], others: readonly string[]): string[] {
  return texts.filter((text) => !others.includes(text));
}
