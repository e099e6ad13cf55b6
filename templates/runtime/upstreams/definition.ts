import type { Lookup } from "../egress/reach.js";

/** The options of tests for all upstreams. */
export interface UpstreamTestOptions {
  /** The origin that replaces those of all upstreams; its address may be private. */
  readonly origin?: string | undefined;
  /** The time limit of an answer in milliseconds, instead of those of the upstreams; there are no retries then. */
  readonly timeoutMs?: number | undefined;
  /** The most exchanged tokens of callers that an upstream keeps. */
  readonly keptTokens?: number | undefined;
  /** How names are resolved. */
  readonly lookup?: Lookup | undefined;
}

/** A text, or the environment variable with it. */
export type Setting = string | { readonly env: string };

/** An entry of the manifest's `upstreams`. Durations are in milliseconds. */
export interface UpstreamDefinition {
  /** The name by which handlers find it in `ctx.upstreams`. */
  readonly name: string;
  /** The URL that paths of requests are added to. */
  readonly baseUrl: Setting;
  /** The credentials that requests are sent with; absent if there are none. */
  readonly auth?: AuthDefinition;
  /** Headers that requests are sent with. */
  readonly headers?: Readonly<Record<string, Setting>>;
  /** The time limit of a whole answer. */
  readonly timeoutMs: number;
  /** When a request is sent again; absent if it never is. */
  readonly retries?: RetryDefinition;
  /** The maximum number of requests at the same time. */
  readonly concurrency?: number;
  /** Whether its own origin may be at an address that is not public. */
  readonly private: boolean;
  /** The maximum number of redirects that are followed. */
  readonly redirects: number;
  /** The URL of the proxy that requests go through. */
  readonly proxy?: Setting;
  /** The environment variable with the path of the certificates of authorities to trust (PEM). */
  readonly ca?: string;
  /** The environment variable with the path of the client's certificate (PEM). */
  readonly cert?: string;
  /** The environment variable with the path of the client's private key (PEM). */
  readonly key?: string;
}

/** When one request is sent again, because no answer came or the answer says to try again. */
export interface RequestRetries {
  /** The maximum number of repetitions. */
  readonly max: number;
  /** The statuses for which it is sent again. */
  readonly on: readonly number[];
}

/** When the requests to an upstream are sent again. */
export interface RetryDefinition extends RequestRetries {
  /** The methods of requests that may be sent again, in upper case. */
  readonly methods: readonly string[];
}

/** The credentials of requests: a bearer token, a user and a password, a value with a name, or a token of OAuth. */
export type AuthDefinition =
  | { readonly kind: "bearer"; readonly token: Setting }
  | { readonly kind: "basic"; readonly username: Setting; readonly password: Setting }
  | {
      readonly kind: "header" | "query" | "cookie";
      readonly name: string;
      readonly value: Setting;
    }
  | ClientCredentials
  | CallerGrant
  | PerCallerAuth;

/** A certificate of this server: the environment variables with the paths of its files (PEM). */
export interface ClientCertificate {
  /** The variable with the path of the certificate. */
  readonly cert: string;
  /** The variable with the path of its private key. */
  readonly key: string;
}

/** The part of a grant that identifies this server at the token endpoint: by a secret, a private key or a certificate. */
export interface TokenClient {
  /** The URL at which tokens are requested. */
  readonly tokenUrl: Setting;
  /** The id by which the authorization server knows this server; absent if the grant itself says who asks. */
  readonly clientId?: Setting;
  /** The secret that belongs to the id. */
  readonly clientSecret?: Setting;
  /** The private key that signs instead of a secret (`private_key_jwt`): a JWK, or in PEM format. */
  readonly clientKey?: Setting;
  /** The certificate that the connection shows instead of a secret (mutual TLS, RFC 8705), by the variables with its files. */
  readonly clientCertificate?: ClientCertificate;
  /** The name that the authorization server has for the key, if the key does not state it. */
  readonly keyId?: Setting;
  /** The name of the authorization server in what is signed for it; by default its token URL. */
  readonly assertionAudience?: Setting;
  /** Whether the secret is sent in a header or in the form. */
  readonly sendIn: "header" | "form";
}

/** An access token for the caller, which the authorization server gives for what this server shows of the caller. */
export type CallerGrant = TokenExchange | JwtBearer;

/**
 * An access token for the caller, which the authorization server gives for the caller's own: by token exchange (RFC 8693),
 * or on behalf of the caller (Microsoft Entra).
 */
export interface TokenExchange extends TokenClient {
  /** The kind of credentials. */
  readonly kind: "exchange" | "onBehalfOf";
  /** The scopes that are requested, with spaces between them. */
  readonly scope?: string;
  /** The service that tokens are requested for, by a name that the authorization server knows. */
  readonly audience?: string;
  /** The service that tokens are requested for, by its URL. */
  readonly resource?: string;
}

/** An access token for the caller, which the authorization server gives because this server vouches for the caller (RFC 7523). */
export interface JwtBearer extends TokenClient {
  /** The kind of credentials. */
  readonly kind: "jwtBearer";
  /** The name by which the authorization server knows this server, such as that of a service account. */
  readonly issuer: Setting;
  /** The private key with which this server signs: a JWK, PEM, or the file of a service account. */
  readonly key: Setting;
  /** The name of the authorization server in what is signed for it; by default its token URL. */
  readonly audience?: Setting;
  /** Which claim of the caller's token has the caller's name at the upstream; by `caller`, its subject. */
  readonly subject: { readonly caller: "subject" } | { readonly claim: string };
  /** The scopes that are requested, with spaces between them. */
  readonly scope?: string;
}

/** An access token for an account that each caller has linked, by a sign-in at the upstream's authorization server. */
export interface PerCallerAuth extends TokenClient {
  /** The kind of credentials. */
  readonly kind: "perCaller";
  /** The id by which the authorization server knows this server. */
  readonly clientId: Setting;
  /** The URL at which callers sign in. */
  readonly authorizationUrl: Setting;
  /** The scopes that callers are asked to allow. */
  readonly scopes: readonly string[];
  /** The issuer that the authorization server names in its answers (RFC 9207). Answers of others are refused. */
  readonly issuer?: Setting;
  /** Further parameters with which callers are sent to sign in. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** An access token of OAuth's client credentials grant, which is kept until it expires. */
export interface ClientCredentials extends TokenClient {
  /** The kind of credentials. */
  readonly kind: "clientCredentials";
  /** The scopes that are requested, with spaces between them. */
  readonly scope?: string;
  /** The service that tokens are requested for, where the authorization server wants it named. */
  readonly audience?: string;
}
