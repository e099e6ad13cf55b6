import type { ManifestSetting } from "./manifest.js";

/** Who may call over the network, with every default filled in. */
export interface AuthModel {
  /** The server's public URL; absent where only keys are taken. */
  readonly resource?: ManifestSetting;
  readonly jwt: readonly JwtIssuerModel[];
  readonly introspection?: IntrospectionModel;
  /** The variable with the keys. */
  readonly apiKeys?: ManifestSetting;
}

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
