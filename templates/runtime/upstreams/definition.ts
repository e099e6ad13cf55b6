declare module "../engine/definition.js" {
  interface ServerDefinition {
    /** The services that the project calls over HTTP. */
    readonly upstreams?: readonly UpstreamDefinition[];
  }
}

declare module "../server/create-server.js" {
  interface ServerOptions {
    /** For tests. */
    readonly upstreams?: UpstreamTestOptions | undefined;
  }
}

/** What tests may say of upstreams. */
export interface UpstreamTestOptions {
  /** All upstreams are at this origin, whatever its address. */
  readonly origin?: string | undefined;
  /** For a whole answer, instead of what each upstream says; then nothing is tried again. */
  readonly timeoutMs?: number | undefined;
  /** How names are resolved. */
  readonly lookup?: Lookup | undefined;
}

/** Resolves a name to all of its addresses. */
export type Lookup = (
  hostname: string,
  callback: (error: Error | null, addresses: readonly ResolvedAddress[]) => void,
) => void;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** A text, or the environment variable that holds it. */
export type Setting = string | { readonly env: string };

/** An entry of the manifest's `upstreams`. Durations are in milliseconds. */
export interface UpstreamDefinition {
  readonly name: string;
  readonly baseUrl: Setting;
  readonly auth?: AuthDefinition;
  readonly headers?: Readonly<Record<string, Setting>>;
  /** For a whole answer. */
  readonly timeoutMs: number;
  readonly retries?: RetryDefinition;
  /** Most requests at the same time. */
  readonly concurrency?: number;
  /** Whether addresses that are not public may be connected to. */
  readonly private: boolean;
  /** How many redirects are followed. */
  readonly redirects: number;
  readonly proxy?: Setting;
  /** Environment variables that hold the paths of PEM files. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface RetryDefinition {
  readonly max: number;
  /** Statuses that are worth another try. */
  readonly on: readonly number[];
  readonly methods: readonly string[];
}

export type AuthDefinition =
  | { readonly kind: "bearer"; readonly token: Setting }
  | { readonly kind: "basic"; readonly username: Setting; readonly password: Setting }
  | {
      readonly kind: "header" | "query" | "cookie";
      readonly name: string;
      readonly value: Setting;
    }
  | ClientCredentials;

/** A token that is fetched by OAuth's grant for clients, and kept until it expires. */
export interface ClientCredentials {
  readonly kind: "clientCredentials";
  readonly tokenUrl: Setting;
  readonly clientId: Setting;
  readonly clientSecret: Setting;
  readonly scope?: string;
  readonly audience?: string;
  /** Whether the secret is sent in a header or in the form. */
  readonly sendIn: "header" | "form";
}
