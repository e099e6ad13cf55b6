import { quoted } from "../../text/value-words.js";
import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** Rules about what bodies do in the name of their caller. */

export const reservedForCaller = defineDiagnostic<{ name: string }>({
  code: "MW2123",
  message: ({ name }) =>
    `no argument beside a request can be called ${name}: placeholders with this name are about the caller`,
});

export const callerWithoutAuth = defineDiagnostic({
  code: "MW2124",
  message: () => "what is asked needs to know its caller, and the manifest has no auth",
});

export const sharedConnection = defineDiagnostic<{ grant: string }>({
  code: "MW2125",
  message: ({ grant }) =>
    `${grant} is for a service over HTTP: all callers share the connection to an MCP server`,
});

export const nothingToExchange = defineDiagnostic<{ grant: string }>({
  code: "MW2126",
  message: ({ grant }) => `${grant} needs callers with tokens of an authorization server`,
});

export const callerOfSqlite = defineDiagnostic<{ key: string }>({
  code: "MW2127",
  message: ({ key }) => `"${key}" is for Postgres: SQLite has no roles and no row-level security`,
});

export const undeclaredClaim = defineDiagnostic<{ claim: string; nearest?: string }>({
  code: "MW2128",
  message: ({ claim, nearest }) =>
    `auth.claims does not declare the claim ${quoted(claim)}${didYouMean(nearest)}`,
  hint: ({ claim }) => `write auth: { claims: { ${claim}: string } }`,
});

export const textClaimType = defineDiagnostic<{ what: string; claim: string; type: string }>({
  code: "MW2129",
  message: ({ what, claim, type }) =>
    `${what} is a string, and the claim ${quoted(claim)} is ${type}`,
});

export const subjectOfSeveralIssuers = defineDiagnostic<{ count: number; upstream: string }>({
  code: "MW2135",
  severity: "warning",
  message: ({ count, upstream }) =>
    `each of the ${count} issuers under auth can name anybody as the caller at ${upstream}`,
  hint: () =>
    "leave one issuer, or write diagnostics: { MW2135: off } if each of them may speak for everybody",
});
