/** An authenticated caller, as `authenticate` of `src/context.ts` returns it. */
export interface Authentication {
  /** The unique and lasting name of the caller. Sessions and questions to the user belong to it. */
  readonly principal: string;
  /** The OAuth scopes that the caller was granted. */
  readonly scopes: readonly string[];
  /** The time at which the credentials expire, in seconds since 1970, like the `exp` of a token. */
  readonly expiresAt?: number;
  /** The method of the manifest's `auth` that identified the caller. */
  readonly via?: "jwt" | "introspection" | "apiKey";
  /** Further data about the caller, for handlers. */
  readonly claims?: Readonly<Record<string, unknown>>;
}
