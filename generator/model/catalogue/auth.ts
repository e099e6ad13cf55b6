import { defineDiagnostic } from "../catalogue-entry.js";
import { eitherOf, type MeantVariable, mendOfReference, referenceTo } from "./message-parts.js";

/** Rules about `auth`: who may call over the network. */

export const nothingToShow = defineDiagnostic<{ keys: readonly string[] }>({
  code: "MW2100",
  message: ({ keys }) => `auth needs ${eitherOf(keys)}`,
});

export const missingResource = defineDiagnostic({
  code: "MW2101",
  message: () => "tokens of an authorization server need auth.resource",
});

export const insecureIssuer = defineDiagnostic<MeantVariable & { found: string; expected: string }>(
  {
    code: "MW2102",
    severity: "error",
    message: ({ found, expected }) => `${found} must be ${expected}`,
    hint: referenceTo,
    mend: mendOfReference,
  },
);

export const refusedAlgorithm = defineDiagnostic<{ found: string; isSymmetric: boolean }>({
  code: "MW2103",
  message: ({ found, isSymmetric }) =>
    isSymmetric
      ? `${found} is symmetric: whoever can verify a token could make one`
      : `${found} is no algorithm for signatures with public keys`,
});

export const audienceForm = defineDiagnostic<MeantVariable & { found: string }>({
  code: "MW2104",
  severity: "warning",
  message: ({ found }) => `the audience ${found} is no URL, but the resource is one`,
  hint: referenceTo,
  mend: mendOfReference,
});

export const authWithoutNetwork = defineDiagnostic({
  code: "MW2105",
  severity: "warning",
  message: () => "auth has no effect without a transport over the network",
});

export const sharedAnswers = defineDiagnostic({
  code: "MW2106",
  severity: "warning",
  message: () => "cacheScope becomes private, since callers must say who they are",
  mend: () => ({ edit: "set text", to: "private" }),
});

export const nothingToFilter = defineDiagnostic({
  code: "MW2107",
  severity: "warning",
  message: () => "lists are filtered by scopes, and no item has scopes",
});

export const keysNowhere = defineDiagnostic<{ isTwice: boolean }>({
  code: "MW2108",
  message: ({ isTwice }) =>
    isTwice ? "apiKeys has env and file; write one of them" : "apiKeys needs env or file",
});

export const claimLikePath = defineDiagnostic<{ found: string; pointer: string }>({
  code: "MW2122",
  severity: "warning",
  message: ({ found }) => `${found} is the name of one claim, not a path to a claim inside others`,
  hint: ({ pointer }) => `for the path, write ${pointer}`,
});

export const issuerTwice = defineDiagnostic({
  code: "MW2120",
  message: () => "an earlier entry of jwt names this issuer, and decides about its tokens",
});

export const issuerLacks = defineDiagnostic<{ what: string; key: string }>({
  code: "MW2170",
  message: ({ what, key }) => `${what} needs "${key}"`,
});

export const presetIgnores = defineDiagnostic<{ what: string; key: string }>({
  code: "MW2171",
  message: ({ what, key }) => `"${key}" says nothing of ${what}`,
});
