import type { Authentication } from "../authentication/authentication.js";
import { printable } from "../engine/printable.js";

/** In whose name a service is asked, and by whom, for those who record it. Neither is a token. */
export interface Acting {
  /** The name by which the authorization server knows this server. */
  readonly actor: string;
  /** The name of the caller. */
  readonly subject: string;
}

/** The longest name that is recorded, in characters. */
const MAX_NAME_LENGTH = 128;

/** Who acts for a caller. @param subject the name of the caller; by default the subject of the token, or the principal */
export function actingFor(
  actor: string | undefined,
  caller: Authentication | undefined,
  subject: unknown = caller?.claims?.["sub"],
): Acting {
  const name = typeof subject === "string" ? subject : (caller?.principal ?? "");
  return { actor: actor ?? "", subject: printable(name, MAX_NAME_LENGTH) };
}

/** A service that was asked in the name of a caller. */
export interface ActedFor extends Acting {
  /** The name of the service. */
  readonly upstream: string;
}
