import type { Authentication } from "../authentication/authentication.js";

/** Whoever shows a token that its issuer has signed. */
export interface JwtCaller extends Authentication {
  readonly via: "jwt";
  readonly expiresAt: number;
  /** What the token says of its caller. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Whoever shows a token that the authorization server knows. */
export interface IntrospectedCaller extends Authentication {
  readonly via: "introspection";
  /** What the authorization server says of the token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A machine with a key of its own. */
export interface ApiKeyCaller extends Authentication {
  readonly via: "apiKey";
}

/** Whom `authenticate` of `src/context.ts` has found out by itself, and `anybody` who asks for a public method. */
export interface OtherCaller extends Authentication {
  readonly via?: never;
}
