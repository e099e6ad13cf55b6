import { defineDiagnostic } from "../catalogue-entry.js";
import { CREDENTIALS } from "../auth.js";
import { eitherOf, referenceTo } from "./message-parts.js";

/** Rules about `auth`: who may call over the network. */

const KEYS = Object.keys(CREDENTIALS);

const HTTP = "transports: [{type: http}]\n";

export const nothingToShow = defineDiagnostic({
  code: "MW2100",
  severity: "error",
  title: "nobody can say who they are",
  explanation: {
    cause: "`auth` names no credentials, so that every request over the network would be refused.",
    example: `${HTTP}auth: {resource: "https://books.example/mcp"}`,
    fix: `Add ${eitherOf(KEYS.map((key) => `\`${key}\``))}, or remove \`auth\`.`,
  },
  message: () => `auth needs ${eitherOf(KEYS)}`,
});

export const missingResource = defineDiagnostic({
  code: "MW2101",
  severity: "error",
  title: "tokens for no resource",
  explanation: {
    cause:
      "Tokens of an authorization server are taken without `resource`: clients could not find out where they get one, and nothing would say whom it must be meant for.",
    example: `${HTTP}auth: {jwt: [{issuer: "https://idp.example"}]}`,
    fix: "Write `resource`: the URL that clients use, or the variable that holds it.",
  },
  message: () => "tokens of an authorization server need auth.resource",
});

export const insecureIssuer = defineDiagnostic<{
  found: string;
  expected: string;
  variable?: string;
}>({
  code: "MW2102",
  severity: "error",
  title: "not a URL to trust",
  explanation: {
    cause:
      "Keys and answers that decide who may call come from this URL. Without TLS anyone on the way could change them.",
    example: `${HTTP}auth: {resource: "https://books.example/mcp", jwt: [{issuer: "http://idp.example"}]}`,
    fix: "Write an https URL. For a server on the same machine, `http://localhost` will do.",
  },
  message: ({ found, expected }) => `${found} must be ${expected}`,
  hint: ({ variable }) => referenceTo(variable),
});

export const refusedAlgorithm = defineDiagnostic<{ found: string; isSymmetric: boolean }>({
  code: "MW2103",
  severity: "error",
  title: "algorithm that is not taken",
  explanation: {
    cause:
      "Tokens are verified with the public keys of their issuer. With an HMAC algorithm whoever knows such a key could make tokens, with `none` everybody could.",
    example: `${HTTP}auth: {resource: "https://books.example/mcp", jwt: [{issuer: "https://idp.example", algorithms: [HS256]}]}`,
    fix: "Name what the issuer signs with: ES256, ES384, ES512, RS256 to RS512, PS256 to PS512, EdDSA or Ed25519.",
  },
  message: ({ found, isSymmetric }) =>
    isSymmetric
      ? `${found} is symmetric: whoever can verify a token could make one`
      : `${found} is no algorithm for signatures with public keys`,
});

export const audienceForm = defineDiagnostic<{ found: string; variable?: string }>({
  code: "MW2104",
  severity: "warning",
  title: "audience that is no URL",
  explanation: {
    cause:
      "Clients ask for tokens for the `resource`, which is a URL. Few authorization servers then issue them for an audience of another form.",
    example: `${HTTP}auth: {resource: "https://books.example/mcp", jwt: [{issuer: "https://idp.example", audience: [books]}]}`,
    fix: "Write the URL that stands in `aud` of the tokens. Where that is no URL, switch this warning off.",
  },
  message: ({ found }) => `the audience ${found} is no URL, but the resource is one`,
  hint: ({ variable }) => referenceTo(variable),
});

export const authWithoutNetwork = defineDiagnostic({
  code: "MW2105",
  severity: "warning",
  title: "auth for nobody",
  explanation: {
    cause: "Only callers over the network say who they are, and the server has no such transport.",
    example: "auth: {apiKeys: {env: API_KEYS}}\nenv: {API_KEYS: {secret: true}}",
    fix: "Add a transport such as `http`, or remove `auth`.",
  },
  message: () => "auth has no effect without a transport over the network",
});

export const sharedAnswers = defineDiagnostic({
  code: "MW2106",
  severity: "warning",
  title: "answers that are shared with nobody",
  explanation: {
    cause:
      "Where callers must say who they are, no answer is for whoever comes by: a shared cache would hand it to those who have no token. The hint becomes `private`.",
    example: `${HTTP}env: {API_KEYS: {secret: true}}\nauth: {apiKeys: {env: API_KEYS}}\ncache: {ttlMs: 60000, cacheScope: public}`,
    fix: "Write `cacheScope: private`, or leave it out.",
  },
  message: () => "cacheScope becomes private, since callers must say who they are",
});

export const nothingToFilter = defineDiagnostic({
  code: "MW2107",
  severity: "warning",
  title: "lists without anything to leave out",
  explanation: {
    cause:
      "With `lists: filter`, lists leave out what needs scopes that the caller lacks, and no item needs any.",
    example: `${HTTP}env: {API_KEYS: {secret: true}}\nauth: {apiKeys: {env: API_KEYS}, lists: filter}\ntools: [{name: a, description: Does a.}]`,
    fix: "Write `scopes` beside the items that not everybody may use, or leave `lists` out.",
  },
  message: () => "lists are filtered by scopes, and no item has scopes",
});

export const keysNowhere = defineDiagnostic<{ isTwice: boolean }>({
  code: "MW2108",
  severity: "error",
  title: "where API keys stand is not clear",
  explanation: {
    cause: "The lines of API keys stand in a variable or in a file, one of the two.",
    example: `${HTTP}auth: {apiKeys: {}}`,
    fix: "Write `env` with the variable that holds the lines, or `file` with the path of the file.",
  },
  message: ({ isTwice }) =>
    isTwice ? "apiKeys has env and file; write one of them" : "apiKeys needs env or file",
});

export const claimLikePath = defineDiagnostic<{ found: string; pointer: string }>({
  code: "MW2122",
  severity: "warning",
  title: "claim whose name looks like a path",
  explanation: {
    cause:
      "A name of a claim is taken as it is, since claims have dots and slashes in their names. Keycloak and others have roles in a claim inside another, which only a JSON Pointer finds.",
    example: `${HTTP}auth: {resource: "https://books.example/mcp", jwt: [{issuer: "https://idp.example", scopes: {claim: realm_access.roles}}]}`,
    fix: "Write the path with slashes, as in `/realm_access/roles`. Where the claim has this name, switch the warning off.",
  },
  message: ({ found }) => `${found} is the name of one claim, not a path to a claim inside others`,
  hint: ({ pointer }) => `for the path, write ${pointer}`,
});

export const issuerTwice = defineDiagnostic({
  code: "MW2120",
  severity: "error",
  title: "issuer that is named twice",
  explanation: {
    cause:
      "A token is judged by the first entry of `jwt` that names its issuer, so that a later one for the same issuer has no effect.",
    example: `${HTTP}auth: {resource: "https://books.example/mcp", jwt: [{issuer: "https://idp.example"}, {issuer: "https://idp.example", strict: true}]}`,
    fix: "Write one entry for each issuer. Its `audience` may list several.",
  },
  message: () => "an earlier entry of jwt names this issuer, and decides about its tokens",
});
