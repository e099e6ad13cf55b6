import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about which credentials the server accepts, and what it shows to callers. */

interface Credentials {
  /** Names the credentials, in the plural. */
  readonly credentials: string;
}

export const credentialRefused = defineRule<Credentials>({
  id: "credential-refused",
  severity: "breaking",
  message: ({ credentials }) => `${credentials} are refused now`,
});

export const credentialAccepted = defineRule<Credentials>({
  id: "credential-accepted",
  severity: "info",
  message: ({ credentials }) => `${credentials} are accepted now`,
});

export const callersUnknown = defineRule({
  id: "callers-unknown",
  severity: "warning",
  message: () => "the manifest does not say any more who may call",
});

export const resourceUrlChanged = defineRule<{ readonly before: string; readonly after: string }>({
  id: "resource-url-changed",
  severity: "breaking",
  message: ({ before, after }) => `the resource was ${quoted(before)}, is ${quoted(after)}`,
});

export const listsFiltered = defineRule({
  id: "lists-filtered",
  severity: "warning",
  message: () => "lists show callers only what they have the scopes for now",
});

export const listsShownWhole = defineRule({
  id: "lists-shown-whole",
  severity: "warning",
  message: () => "lists show all items to every caller now",
});

interface ScopesAskedFor {
  readonly before: string;
  readonly after: string;
}

export const initialScopesChanged = defineRule<ScopesAskedFor>({
  id: "initial-scopes-changed",
  severity: "warning",
  message: ({ before, after }) =>
    `those who sign in were asked for ${before}, and now for ${after}`,
});
