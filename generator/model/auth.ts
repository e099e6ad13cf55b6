import type { ScopeSettings } from "../../templates/runtime/access/claims.js";
import type { ManifestSetting } from "./manifest.js";

/** Who may call over the network, with every default filled in. */
export interface AuthModel {
  /** The server's public URL. Absent if the server accepts API keys only. */
  readonly resource?: ManifestSetting;
  /** What callers may identify themselves with, in the order in which it is tried. */
  readonly credentials: readonly CredentialModel[];
  /** The claims that placeholders may name, with their types. */
  readonly claims?: ClaimTypes;
  /** What clients ask for when their users sign in. Absent for the scopes of all items. */
  readonly initialScopes?: readonly string[];
  /** MCP methods that a caller may use without a token. */
  readonly public: readonly string[];
  /** What lists contain: all items, or only the items that the caller may use. */
  readonly lists: "all" | "filter";
}

/** The types of claims, by the names of the claims. */
export type ClaimTypes = Readonly<Record<string, "string" | "number" | "integer" | "boolean">>;

/** What callers identify themselves with; `generator/credentials/` has all else about each kind. */
export type CredentialModel = ApiKeysModel | JwtIssuerModel | IntrospectionModel;

/** API keys, which an environment variable or a file holds. */
export type ApiKeysModel = { readonly kind: "apiKeys" } & (
  { readonly keys: { readonly env: string } } | { readonly file: ManifestSetting }
);

export interface JwtIssuerModel {
  readonly kind: "jwt";
  readonly issuer: ManifestSetting;
  readonly jwks?: ManifestSetting;
  readonly audience: readonly ManifestSetting[];
  readonly algorithms: readonly string[];
  readonly scopes?: ScopeSettings;
  readonly require?: Readonly<Record<string, string | number | boolean>>;
  readonly strict?: boolean;
}

export interface IntrospectionModel {
  readonly kind: "introspection";
  readonly url: ManifestSetting;
  readonly client: ManifestSetting;
  readonly secret: ManifestSetting;
  readonly issuer?: ManifestSetting;
  readonly audience: readonly ManifestSetting[];
  readonly scopes?: ScopeSettings;
  readonly cacheMs: number;
}
