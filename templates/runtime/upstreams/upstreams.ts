import type { Dispatcher } from "undici";
import type { Limits } from "../engine/limits.js";
import { NotImplementedError } from "../engine/errors.js";
import { AccessTokens } from "./access-token.js";
import { agentOf } from "./agent.js";
import { UpstreamClient, type Upstream, type UpstreamConnection } from "./client.js";
import { fixedCredentials, type Authenticator } from "./credentials.js";
import type { BackendsOfKind } from "../backends/backends.js";
import type { ServerOptions } from "../server/create-server.js";
import type { UpstreamDefinition, UpstreamTestOptions } from "./definition.js";
import { Masking } from "../backends/masking.js";
import { headersOf } from "./parameters.js";
import { Settings } from "./settings.js";

/** What the definition of a server says of them; it has no variables where the manifest declares none. */
interface UpstreamsOfServer {
  readonly upstreams?: readonly UpstreamDefinition[];
  readonly env?: readonly { readonly name: string; readonly secret: boolean }[];
}

/** Makes the upstreams of a server. Nothing is read, and nothing connected to, before it is asked for. */
export function createUpstreams(
  { upstreams = [], env: variables = [] }: UpstreamsOfServer,
  options: Pick<ServerOptions, "env" | "mock" | "root" | "upstreams">,
  { timeoutMs: longestWaitMs }: Pick<Limits, "timeoutMs">,
): BackendsOfKind {
  if (options.mock) {
    return { bind: () => mocked(upstreams), check: async () => [], close: async () => undefined };
  }
  let made: readonly UpstreamConnection[] | undefined;
  const connections = (): readonly UpstreamConnection[] =>
    (made ??= connectionsOf(upstreams, variables, {
      ...options.upstreams,
      ...{ env: options.env, root: options.root, longestWaitMs },
    }));
  return {
    bind: (call) =>
      Object.fromEntries(
        connections().map((connection): [string, Upstream] => [
          connection.definition.name,
          new UpstreamClient(connection, call),
        ]),
      ),
    check: async () => {
      connections();
      return [];
    },
    close: async () => {
      await Promise.all((made ?? []).map(({ agent }) => agent.destroy()));
    },
  };
}

/** What the connections of a server have in common. */
interface ConnectionOptions extends UpstreamTestOptions {
  readonly env: unknown;
  /** The project's folder, which certificates are relative to. */
  readonly root: string;
  /** Longest wait for a retry, in milliseconds. */
  readonly longestWaitMs: number;
}

/** @throws SettingError where a setting will not do */
function connectionsOf(
  upstreams: readonly UpstreamDefinition[],
  variables: NonNullable<UpstreamsOfServer["env"]>,
  options: ConnectionOptions,
): UpstreamConnection[] {
  const masking = new Masking();
  const settings = new Settings(options.env, options.root);
  for (const { name, secret } of variables) {
    if (secret) masking.add(settings.text({ env: name }) ?? "");
  }
  const { timeoutMs } = options;
  return upstreams
    .map((upstream) => (timeoutMs === undefined ? upstream : onceWithin(upstream, timeoutMs)))
    .map((upstream) => connectionOf(upstream, settings, masking, options));
}

/** The same upstream with another time limit, and without retries. */
function onceWithin(upstream: UpstreamDefinition, timeoutMs: number): UpstreamDefinition {
  const { retries: _retries, ...rest } = upstream;
  return { ...rest, timeoutMs };
}

function connectionOf(
  definition: UpstreamDefinition,
  settings: Settings,
  masking: Masking,
  { origin, lookup, longestWaitMs }: ConnectionOptions,
): UpstreamConnection {
  const url = settings.url(definition.baseUrl, `the base URL of the upstream ${definition.name}`);
  const baseUrl = origin === undefined ? url : new URL(url.pathname + url.search, origin);
  const isPrivate = definition.private || origin !== undefined;
  const connected = origin === undefined ? definition : playedByTest(definition);
  const agent = agentOf(connected, settings, { isPrivate, lookup });
  const headers = Object.entries(definition.headers ?? {}).map(([name, value]) => [
    name,
    settings.text(value),
  ]);
  return {
    definition,
    baseUrl,
    agent,
    authenticator: authenticatorOf(definition, settings, masking, agent, origin),
    headers: headersOf(Object.fromEntries(headers) as Record<string, unknown>),
    masking,
    longestWaitMs,
  };
}

/** An upstream that a test plays is on this machine: it is asked in the clear, and without a proxy. */
function playedByTest(definition: UpstreamDefinition): UpstreamDefinition {
  const { proxy: _proxy, ca: _ca, cert: _cert, key: _key, ...rest } = definition;
  return rest;
}

const ANYBODY: Authenticator = { credentials: () => ({}), refused: () => false };

function authenticatorOf(
  { name, auth, timeoutMs }: UpstreamDefinition,
  settings: Settings,
  masking: Masking,
  agent: Dispatcher,
  origin: string | undefined,
): Authenticator {
  if (auth === undefined) return ANYBODY;
  if (auth.kind !== "clientCredentials") return fixedCredentials(auth, settings, masking);
  const url = settings.url(auth.tokenUrl, `the token URL of the upstream ${name}`);
  const tokenUrl = origin === undefined ? url : new URL(url.pathname + url.search, origin);
  return new AccessTokens({ name, auth, settings, agent, masking, timeoutMs }, tokenUrl);
}

/** In mock mode a handler gets as far as its first request, and its item is then answered for. */
class MockedUpstreamError extends NotImplementedError {
  constructor(name: string) {
    super("");
    this.message = `The upstream ${name} is not asked in mock mode`;
  }
}

function mocked(upstreams: readonly UpstreamDefinition[]): object {
  return Object.fromEntries(
    upstreams.map(({ name }) => {
      const refuse = async (): Promise<never> => {
        throw new MockedUpstreamError(name);
      };
      const methods = ["request", "get", "head", "post", "put", "patch", "delete"];
      return [name, Object.fromEntries(methods.map((method) => [method, refuse]))];
    }),
  );
}
