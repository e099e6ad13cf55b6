import type { Dispatcher } from "undici";
import type { Masking } from "../backends/masking.js";
import { AccessTokens } from "./access-token.js";
import { agentOf } from "./agent.js";
import { CallerExchanges } from "./caller-exchange.js";
import type { OpenKey } from "./assertion.js";
import { callerGrant } from "./caller-grants.js";
import { clientAuthentication, type ClientSettings } from "./client-authentication.js";
import { fixedCredentials, type Authenticator, type CallerAccounts } from "./credentials.js";
import type { ClientCertificate, UpstreamDefinition, UpstreamTestOptions } from "./definition.js";
import type { TraceRequest } from "./messages.js";
import { headersOf } from "./parameters.js";
import { SettingError, type Settings } from "./settings.js";

/** The part of an upstream that all calls share. */
export interface UpstreamConnection {
  readonly definition: UpstreamDefinition;
  readonly baseUrl: URL;
  readonly base: BaseUrl;
  readonly agent: Dispatcher;
  /** Closes all connections. */
  close(): Promise<void>;
  readonly authenticator: Authenticator;
  /** The manifest's headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers of every request that has none of its own: the manifest's, and those of the runtime. */
  readonly usualHeaders: Readonly<Record<string, string>>;
  readonly masking: Masking;
  /** The longest wait before a retry, in milliseconds. */
  readonly maxWaitMs: number;
  /** False in tests, which must not wait. */
  readonly retries: boolean;
  /** Absent if requests are not traced. */
  readonly trace?: TraceRequest | undefined;
}

/** The parts of an upstream's base URL, which are read once. */
export interface BaseUrl {
  readonly origin: string;
  /** The path, without a slash at its end. */
  readonly pathname: string;
  /** The query, without its question mark. */
  readonly search: string;
  /** The names of the query's parameters. */
  readonly names: readonly string[];
}

/** The options that all upstreams of a server share. */
export interface ConnectionOptions extends UpstreamTestOptions {
  /** The longest wait before a retry, in milliseconds. */
  readonly maxWaitMs: number;
  readonly trace?: TraceRequest | undefined;
  /** Reads private keys; absent in servers that need none. */
  readonly openKey?: OpenKey | undefined;
  /** The accounts that callers have linked; absent if no upstream has some. */
  readonly accounts?: CallerAccounts | undefined;
}

/** Creates the part of an upstream that all calls share. @throws SettingError if a setting is invalid */
export function connectionOf(
  definition: UpstreamDefinition,
  settings: Settings,
  masking: Masking,
  { origin, lookup, maxWaitMs, timeoutMs, keptTokens, trace, openKey, accounts }: ConnectionOptions,
): UpstreamConnection {
  const url = settings.url(definition.baseUrl, `the base URL of the upstream ${definition.name}`);
  const baseUrl = origin === undefined ? url : new URL(url.pathname + url.search, origin);
  const isPrivate = definition.private || origin !== undefined;
  const effectiveDefinition = origin === undefined ? definition : withoutProxyAndTls(definition);
  const agents: Dispatcher[] = [];
  const agentFor: AgentFor = (own, certificate) => {
    const shown = origin === undefined ? certificate : undefined;
    const reach = { ownOrigin: own.origin, isPrivate };
    const agent = agentOf({ ...effectiveDefinition, ...shown }, settings, reach, lookup);
    agents.push(agent);
    return agent;
  };
  const texts = Object.entries(definition.headers ?? {}).map(([name, value]) => [
    name,
    settings.text(value),
  ]);
  const headers = headersOf(Object.fromEntries(texts) as Record<string, unknown>);
  return {
    definition,
    baseUrl,
    base: {
      origin: baseUrl.origin,
      pathname: baseUrl.pathname.replace(/\/$/, ""),
      search: baseUrl.search.slice(1),
      names: [...baseUrl.searchParams.keys()],
    },
    agent: agentFor(baseUrl),
    close: async () => {
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
    authenticator: authenticatorOf(definition, { settings, masking, openKey }, agentFor, {
      ...{ origin, keptTokens, accounts },
    }),
    headers,
    usualHeaders: { accept: "*/*", "accept-encoding": "gzip, deflate, br", ...headers },
    masking,
    maxWaitMs,
    retries: timeoutMs === undefined,
    trace,
  };
}

/** The definition of an upstream for a test, whose server is on this machine. */
function withoutProxyAndTls(definition: UpstreamDefinition): UpstreamDefinition {
  const { proxy: _proxy, ca: _ca, cert: _cert, key: _key, ...testDefinition } = definition;
  return testDefinition;
}

/** Makes the connections to a URL. @param certificate is shown there, in place of that of the upstream */
type AgentFor = (own: URL, certificate?: ClientCertificate) => Dispatcher;

const NO_CREDENTIALS: Authenticator = { credentials: () => ({}), refused: () => false };

function authenticatorOf(
  { name, auth, timeoutMs }: UpstreamDefinition,
  { settings, masking, openKey }: Omit<ClientSettings, "name">,
  agentFor: AgentFor,
  { origin, keptTokens, accounts }: Pick<ConnectionOptions, "origin" | "keptTokens" | "accounts">,
): Authenticator {
  if (auth === undefined) return NO_CREDENTIALS;
  if (!("tokenUrl" in auth)) return fixedCredentials(auth, settings, masking);
  const url = settings.url(auth.tokenUrl, `the token URL of the upstream ${name}`);
  const tokenUrl = origin === undefined ? url : new URL(url.pathname + url.search, origin);
  const agent = agentFor(tokenUrl, auth.clientCertificate);
  const client = { name, settings, masking, openKey };
  const proveClient = clientAuthentication(auth, client);
  const source = { name, proveClient, agent, masking, timeoutMs };
  if (auth.kind === "perCaller") {
    if (accounts === undefined) {
      throw new SettingError(
        `the upstream ${name} has "perCaller", so that "use" of defineServer must have linkedAccounts() of @mcpwright/runtime/linked-accounts`,
      );
    }
    return accounts.authenticator({ ...source, settings, auth }, tokenUrl, origin !== undefined);
  }
  return auth.kind === "clientCredentials"
    ? new AccessTokens({ ...source, auth }, tokenUrl)
    : new CallerExchanges({ ...source, grantFor: callerGrant(auth, client) }, tokenUrl, keptTokens);
}
