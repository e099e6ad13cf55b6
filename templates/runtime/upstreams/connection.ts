import type { Dispatcher } from "undici";
import type { Masking } from "../backends/masking.js";
import { AccessTokens } from "./access-token.js";
import { agentOf } from "./agent.js";
import type { IncomingAnswer, OutgoingRequest } from "./exchange.js";
import { fixedCredentials, type Authenticator } from "./credentials.js";
import type { UpstreamDefinition, UpstreamTestOptions } from "./definition.js";
import { headersOf } from "./parameters.js";
import type { Settings } from "./settings.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    readonly traceRequest?: TraceRequest;
  }
}

/** Sends a request to the upstream of a name, as a span of OpenTelemetry. */
export type TraceRequest = (
  name: string,
  request: OutgoingRequest,
  send: (request: OutgoingRequest) => Promise<IncomingAnswer>,
) => Promise<IncomingAnswer>;

/** An upstream of a running server, which all calls share. */
export interface UpstreamConnection {
  readonly definition: UpstreamDefinition;
  readonly baseUrl: URL;
  readonly agent: Dispatcher;
  readonly authenticator: Authenticator;
  /** The manifest's headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly masking: Masking;
  readonly longestWaitMs: number;
  /** Absent where requests are no spans. */
  readonly trace?: TraceRequest | undefined;
}

/** The common options of a server's connections. */
export interface ConnectionOptions extends UpstreamTestOptions {
  /** Longest wait for a retry, in milliseconds. */
  readonly longestWaitMs: number;
  readonly trace?: TraceRequest | undefined;
}

/** Makes the part of an upstream that its requests share. @throws SettingError where a setting is wrong */
export function connectionOf(
  definition: UpstreamDefinition,
  settings: Settings,
  masking: Masking,
  { origin, lookup, longestWaitMs, trace }: ConnectionOptions,
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
    ...{ masking, longestWaitMs, trace },
  };
}

/** An upstream of a test is on this machine: it gets requests without TLS and without a proxy. */
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
