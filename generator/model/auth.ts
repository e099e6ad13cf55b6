import type { ManifestSetting } from "./manifest.js";

/** Who may call over the network, with every default filled in. */
export interface AuthModel {
  /** The server's public URL; absent where only keys are taken. */
  readonly resource?: ManifestSetting;
  readonly jwt: readonly JwtIssuerModel[];
  readonly introspection?: IntrospectionModel;
  /** The variable with the keys, or the file. */
  readonly apiKeys?: ApiKeysModel;
  /** Methods that need no token. */
  readonly public: readonly string[];
  /** What lists show: all items, or those that the caller may use. */
  readonly lists: "all" | "filter";
}

export type ApiKeysModel = { readonly env: string } | { readonly file: ManifestSetting };

export interface JwtIssuerModel {
  readonly issuer: ManifestSetting;
  readonly jwks?: ManifestSetting;
  readonly audience: readonly ManifestSetting[];
  readonly algorithms: readonly string[];
  readonly scopes?: TokenScopesModel;
  readonly require?: Readonly<Record<string, string | number | boolean>>;
  readonly strict?: boolean;
}

export interface IntrospectionModel {
  readonly url: ManifestSetting;
  readonly client: ManifestSetting;
  readonly secret: ManifestSetting;
  readonly issuer?: ManifestSetting;
  readonly audience: readonly ManifestSetting[];
  readonly scopes?: TokenScopesModel;
  readonly cacheMs: number;
}

/** Where tokens say what their callers may do. */
export interface TokenScopesModel {
  readonly claim?: string;
  /** What stands before scopes where clients ask for them. */
  readonly prefix?: string;
}

/** What is written down of calls, with every default filled in. */
export interface AuditModel {
  /** The variable with the path of the file; without one, lines go to stderr. */
  readonly to?: { readonly env: string };
  readonly arguments: "none" | "names" | "values";
  readonly durable: boolean;
}
