/** The claims of an assertion (RFC 7523), without its times and its id. */
export interface AssertionClaims {
  /** The issuer, which signs the assertion. */
  readonly iss: string;
  /** The subject: the person or client that the assertion is about. */
  readonly sub: string;
  /** The authorization server that it is for. */
  readonly aud: string;
  /** The scopes that are requested, where the authorization server reads them there. */
  readonly scope?: string | undefined;
}

/** Signs an assertion, which is accepted once and for a short time. @returns a JWT */
export type SignAssertion = (claims: AssertionClaims) => Promise<string>;

/**
 * Reads a private key.
 *
 * @param keyId the name that the authorization server has for the key; by default the one that the text states
 * @throws Error if the text has no private key; the message is the end of a sentence, and does not have the text
 */
export type OpenKey = (text: string, keyId?: string) => SignAssertion;
