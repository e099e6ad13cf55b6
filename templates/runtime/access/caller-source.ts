import type { VerificationServer } from "../authentication/authenticate.js";
import type { TokenVerifier } from "./verification.js";

/** A way to identify callers over the network, such as API keys or the tokens of an issuer. */
export interface CallerSource<Env> {
  /**
   * Makes the verifier when the server starts.
   *
   * @param env the environment variables of the server, checked and converted
   * @throws SettingError if a setting is wrong
   */
  open(env: Env, server: VerificationServer): TokenVerifier;
  /** Makes a new API key and its entry for the server's keys; absent for other credentials. */
  readonly newKey?: (name: string) => string;
}
