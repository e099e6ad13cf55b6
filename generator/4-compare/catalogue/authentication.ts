import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about which credentials the server accepts, and what it shows to callers. */

const HTTP = "env: {API_KEYS: {secret: true}}\ntransports: [{type: http}]";
const AUTH = `${HTTP}\nauth: {resource: 'https://a.example/mcp', apiKeys: {env: API_KEYS}`;
const KEYS_ONLY = `${AUTH}}`;
const KEYS_AND_TOKENS = `${AUTH}, jwt: [{issuer: 'https://idp.example'}]}`;
const UNFILTERED = `${HTTP}\nauth: {apiKeys: {env: API_KEYS}}`;
const FILTERED = `${HTTP}\nauth: {apiKeys: {env: API_KEYS}, lists: filter}`;

interface Credentials {
  /** Names the credentials, in the plural. */
  readonly credentials: string;
}

export const credentialRefused = defineRule<Credentials>({
  id: "credential-refused",
  severity: "breaking",
  title: "credentials are refused that were accepted",
  explanation: {
    cause: "Callers whose tokens or keys were accepted are refused with 401.",
    example: { before: KEYS_AND_TOKENS, after: KEYS_ONLY },
    fix: "Keep accepting them until callers have others, or release a new major version.",
  },
  message: ({ credentials }) => `${credentials} are refused now`,
});

export const credentialAccepted = defineRule<Credentials>({
  id: "credential-accepted",
  severity: "info",
  title: "credentials are accepted that were refused",
  explanation: {
    cause: "Callers get in with credentials that were of no use before.",
    example: { before: KEYS_ONLY, after: KEYS_AND_TOKENS },
    fix: "Check that it is meant.",
  },
  message: ({ credentials }) => `${credentials} are accepted now`,
});

export const callersUnknown = defineRule({
  id: "callers-unknown",
  severity: "warning",
  title: "the manifest does not say any more who may call",
  explanation: {
    cause:
      "Without `auth`, whoever reaches the server may call it, unless `authenticate` in `src/context.ts` decides or items need scopes.",
    example: { before: UNFILTERED, after: HTTP },
    fix: "Check that it is meant, and that something else decides who may call.",
  },
  message: () => "the manifest does not say any more who may call",
});

export const resourceUrlChanged = defineRule<{ readonly before: string; readonly after: string }>({
  id: "resource-url-changed",
  severity: "breaking",
  title: "tokens must be meant for another URL",
  explanation: {
    cause: "Clients ask for tokens for this URL. Those that they have are for the former one.",
    example: { before: KEYS_ONLY, after: KEYS_ONLY.replace("a.example", "b.example") },
    fix: "Keep the URL, or name the former one as an `audience` until clients have other tokens.",
  },
  message: ({ before, after }) => `the resource was ${quoted(before)}, is ${quoted(after)}`,
});

export const listsFiltered = defineRule({
  id: "lists-filtered",
  severity: "warning",
  title: "lists leave out what a caller may not use",
  explanation: {
    cause:
      "Callers do not see items any more for which they lack a scope, and cannot find out which scope to ask for.",
    example: { before: UNFILTERED, after: FILTERED },
    fix: "Check that clients know their scopes, or leave `lists` out.",
  },
  message: () => "lists show callers only what they have the scopes for now",
});

export const listsShownWhole = defineRule({
  id: "lists-shown-whole",
  severity: "warning",
  title: "lists show what a caller may not use",
  explanation: {
    cause: "Callers see the names and descriptions of items for which they lack a scope.",
    example: { before: FILTERED, after: UNFILTERED },
    fix: "Check that nothing in them is for some callers only.",
  },
  message: () => "lists show all items to every caller now",
});
