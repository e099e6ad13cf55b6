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

/** Whether a token of an authorization server identified the caller, and not a key or code of the project. */
export function isKnownByToken({ via }: Authentication): boolean {
  return via === "jwt" || via === "introspection";
}

/** A caller with a JWT, which its issuer has signed. */
export interface JwtCaller extends Authentication {
  /** How the caller was identified. */
  readonly via: "jwt";
  /** When the token expires, in seconds since 1970. Some seconds are added, since clocks differ. */
  readonly expiresAt: number;
  /** The claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A caller with a token that the authorization server has confirmed. */
export interface IntrospectedCaller extends Authentication {
  /** How the caller was identified. */
  readonly via: "introspection";
  /** The claims that the authorization server returned for the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A machine with an API key. */
export interface ApiKeyCaller extends Authentication {
  /** How the caller was identified. */
  readonly via: "apiKey";
}

/** A caller whom `authenticate` of `src/context.ts` identified by itself, or `anybody`, for public methods. */
export interface OtherCaller extends Authentication {
  /** Absent: the manifest's `auth` did not identify the caller. */
  readonly via?: never;
}
