/** Private keys with which the server signs what it says to authorization servers. It needs the package `jose`. */
import type { ServerPart } from "./server/server-part.js";
import { openKey } from "./upstreams/private-key.js";

export type { AssertionClaims, OpenKey, SignAssertion } from "./upstreams/assertion.js";

/** Lets upstreams and MCP servers at URLs authenticate this server by a private key, which their `auth` names. */
export function privateKeys(): ServerPart {
  return () => ({ openKey });
}
