import { randomBytes } from "node:crypto";
import type { Limits } from "../engine/limits.js";
import { keepCallerTokens } from "../authentication/caller-tokens.js";
import { UpstreamClient } from "./client.js";
import { connectionOf, type ConnectionOptions, type UpstreamConnection } from "./connection.js";
import type { OpenKey } from "./assertion.js";
import type { TraceRequest } from "./messages.js";
import type { BackendsOfKind } from "../backends/backends.js";
import type { ServerOptions } from "../server/create-server.js";
import type { UpstreamDefinition } from "./definition.js";
import { Masking } from "../backends/masking.js";
import { MockModeError } from "../backends/mock-mode.js";
import { Settings } from "./settings.js";
import type { Upstream } from "./upstream.js";

/** The kinds of credentials for which callers show tokens of their own. */
const CALLER_GRANTS: ReadonlySet<string> = new Set(["exchange", "onBehalfOf", "jwtBearer"]);

/** The part of a server's definition about upstreams; `env` is absent if the manifest declares no variables. */
interface UpstreamsOfServer {
  readonly upstreams?: readonly UpstreamDefinition[];
  readonly env?: readonly { readonly name: string; readonly secret: boolean }[];
  readonly traceRequest?: TraceRequest;
  readonly openKey?: OpenKey;
}

/** Creates the upstreams of a server. Their settings are read at the first use. */
export function createUpstreams(
  { upstreams = [], env: variables = [], traceRequest: trace, openKey }: UpstreamsOfServer,
  options: Pick<
    ServerOptions,
    "accounts" | "env" | "mock" | "requestStateKeys" | "root" | "upstreams"
  >,
  { timeoutMs: maxWaitMs }: Pick<Limits, "timeoutMs">,
): BackendsOfKind {
  if (options.mock) {
    return { bind: () => mocked(upstreams), check: async () => [], close: async () => undefined };
  }
  if (upstreams.some(({ auth }) => auth !== undefined && CALLER_GRANTS.has(auth.kind))) {
    keepCallerTokens();
  }
  let connections: readonly UpstreamConnection[] | undefined;
  const connectionsOnce = (): readonly UpstreamConnection[] =>
    (connections ??= connectionsOf(upstreams, variables, {
      ...options.upstreams,
      env: options.env,
      root: options.root,
      maxWaitMs,
      trace,
      openKey,
      accounts: options.accounts,
    }));
  const keys = options.requestStateKeys ?? [randomBytes(32).toString("hex")];
  return {
    bind: (call, signal = call.signal, memory, principal, caller, actedFor) =>
      Object.fromEntries(
        connectionsOnce().map((connection): [string, Upstream] => [
          connection.definition.name,
          new UpstreamClient(connection, {
            log: call.log,
            signal,
            memory,
            principal,
            caller,
            actedFor,
            keys,
          }),
        ]),
      ),
    check: async () => {
      connectionsOnce();
      return [];
    },
    close: async () => {
      await Promise.all((connections ?? []).map((connection) => connection.close()));
    },
  };
}

/** @throws SettingError if a setting is invalid */
function connectionsOf(
  upstreams: readonly UpstreamDefinition[],
  variables: NonNullable<UpstreamsOfServer["env"]>,
  options: ConnectionOptions & { readonly env: unknown; readonly root: string },
): UpstreamConnection[] {
  const masking = new Masking();
  const settings = new Settings(options.env, options.root);
  for (const { name, secret } of variables) {
    if (secret) masking.add(settings.text({ env: name }) ?? "");
  }
  const { timeoutMs } = options;
  return upstreams
    .map((upstream) => (timeoutMs === undefined ? upstream : { ...upstream, timeoutMs }))
    .map((upstream) => connectionOf(upstream, settings, masking, options));
}

function mocked(upstreams: readonly UpstreamDefinition[]): object {
  return Object.fromEntries(
    upstreams.map(({ name }) => {
      const refuse = async (): Promise<never> => {
        throw new MockModeError(`The upstream ${name} is not asked`);
      };
      const methods = ["request", "get", "head", "post", "put", "patch", "delete"];
      return [name, Object.fromEntries(methods.map((method) => [method, refuse]))];
    }),
  );
}
