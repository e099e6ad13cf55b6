declare module "../context/context.js" {
  interface Caller {
    /** Who calls, where callers are authenticated. */
    readonly authentication?: Authentication | undefined;
  }
}

declare module "../server/requests.js" {
  interface FetchOptions {
    /** The authenticated caller. A server whose items need scopes refuses requests without one. */
    readonly authentication?: Authentication | undefined;
  }
}

/** Who calls, as `authenticate` of `src/context.ts` has found out. */
export interface Authentication {
  /** Tells callers apart, and stays the same for one: sessions and questions belong to it. */
  readonly principal: string;
  /** The OAuth scopes that the caller was granted. */
  readonly scopes: readonly string[];
  /** When the credentials run out, in seconds since 1970: the `exp` of a token. */
  readonly expiresAt?: number;
  /** By which credentials of the manifest's `auth` the caller is known. */
  readonly via?: "jwt" | "introspection" | "apiKey";
  /** What else is known of the caller, for handlers. */
  readonly claims?: Readonly<Record<string, unknown>>;
}
