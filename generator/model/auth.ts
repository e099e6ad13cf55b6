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
  /** MCP methods that a caller may use without a token. */
  readonly public: readonly string[];
  /** What lists contain: all items, or only the items that the caller may use. */
  readonly lists: "all" | "filter";
}

/** The types of claims, by the names of the claims. */
export type ClaimTypes = Readonly<Record<string, "string" | "number" | "integer" | "boolean">>;

export type CredentialModel = ApiKeysModel | JwtIssuerModel | IntrospectionModel;

/** What the phases must know of a kind of credentials. */
interface CredentialKind {
  /** In words, for people. */
  readonly words: string;
  /** True for tokens of an authorization server, which are issued for `resource`. */
  readonly isToken: boolean;
  /** True if the key of `auth` has a list of them. */
  readonly isList: boolean;
  /** The settings that may come from an environment variable, and what they hold. */
  readonly settings: Readonly<Record<string, "url" | "text" | "secret" | "keys">>;
  /** The runtime's type of a caller who has shown them. */
  readonly callerType: string;
  /** The functions of the runtime that read them. */
  readonly factories: readonly string[];
  /** The packages that the project needs for them. */
  readonly packages: readonly string[];
}

const TOKEN = { words: "a token of an authorization server", isToken: true } as const;

/** The kinds of credentials, by their keys in `auth`. */
export const CREDENTIALS = {
  jwt: {
    ...TOKEN,
    isList: true,
    settings: { issuer: "url", jwks: "url", audience: "text" },
    callerType: "JwtCaller",
    factories: ["jwt"],
    packages: ["jose"],
  },
  introspection: {
    ...TOKEN,
    isList: false,
    settings: { issuer: "url", url: "url", audience: "text", client: "text", secret: "secret" },
    callerType: "IntrospectedCaller",
    factories: ["introspection"],
    packages: [],
  },
  apiKeys: {
    words: "an API key",
    isToken: false,
    isList: false,
    settings: { keys: "keys" },
    callerType: "ApiKeyCaller",
    factories: ["apiKeys", "apiKeyFile"],
    packages: [],
  },
} as const satisfies Readonly<Record<CredentialModel["kind"], CredentialKind>>;

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
