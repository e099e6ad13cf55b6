import type { CredentialModel } from "../model/auth.js";
import { apiKeys } from "./api-keys.js";
import type { CredentialDefinition } from "./definition.js";
import { introspection } from "./introspection.js";
import { jwt } from "./jwt.js";

/** The kinds of credentials, by their keys in `auth`. */
export const CREDENTIALS: Readonly<Record<CredentialModel["kind"], CredentialDefinition>> = {
  jwt,
  introspection,
  apiKeys,
};

export const CREDENTIAL_KEYS = Object.keys(CREDENTIALS) as readonly CredentialModel["kind"][];

/** The kinds that are tokens of an authorization server. One that takes tokens of every form is the last. */
export const TOKEN_KEYS = CREDENTIAL_KEYS.filter((kind) => CREDENTIALS[kind].isToken);

/** The kinds in the order in which credentials are tried: what the server itself knows, then tokens. */
export const TRIED_KEYS = [
  ...CREDENTIAL_KEYS.filter((kind) => !CREDENTIALS[kind].isToken),
  ...TOKEN_KEYS,
];

/** What the manifest's `auth` has of one kind. */
export function credentialsIn(auth: object, kind: CredentialModel["kind"]): object[] {
  const given = Object.entries(auth).flatMap(([key, value]) => (key === kind ? value : []));
  return given.filter((one) => typeof one === "object");
}
