import type { ManifestSetting } from "./manifest.js";

/** Who may call over the network, with every default filled in. */
export interface AuthModel {
  /** The server's public URL. Absent if the server accepts API keys only. */
  readonly resource?: ManifestSetting;
  readonly jwt: readonly JwtIssuerModel[];
  readonly introspection?: IntrospectionModel;
  /** The environment variable that holds the API keys, or the file that holds them. */
  readonly apiKeys?: ApiKeysModel;
  /** MCP methods that a caller may use without a token. */
  readonly public: readonly string[];
  /** What lists contain: all items, or only the items that the caller may use. */
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

/** Where a token carries the scopes of its caller. */
export interface TokenScopesModel {
  readonly claim?: string;
  /** The prefix that clients put before each scope when they request it. */
  readonly prefix?: string;
}

/** What the audit trail records about calls, with every default filled in. */
export interface AuditModel {
  /** The environment variable with the path of the audit file. If absent, the lines go to stderr. */
  readonly to?: { readonly env: string };
  readonly arguments: "none" | "names" | "values";
  /** True if an answer waits until its audit line is on the disk. */
  readonly durable: boolean;
}
