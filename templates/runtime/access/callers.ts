import type { Authentication } from "../authentication/authentication.js";

/** A caller with a JWT, which its issuer has signed. */
export interface JwtCaller extends Authentication {
  readonly via: "jwt";
  readonly expiresAt: number;
  /** The claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A caller with a token that the authorization server has confirmed. */
export interface IntrospectedCaller extends Authentication {
  readonly via: "introspection";
  /** The claims that the authorization server returned for the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A machine with an API key. */
export interface ApiKeyCaller extends Authentication {
  readonly via: "apiKey";
}

/** A caller whom `authenticate` of `src/context.ts` identified by itself, or `anybody`, for public methods. */
export interface OtherCaller extends Authentication {
  readonly via?: never;
}
