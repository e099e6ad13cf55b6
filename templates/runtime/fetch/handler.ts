import type { Authenticator } from "../authentication/authenticate.js";
import {
  authenticatorOf,
  networkExports,
  refuseMisspeltAuthenticate,
  warnOfScopes,
} from "../authentication/network-callers.js";
import { describeError } from "../engine/describe-error.js";
import type { ServerDefinition } from "../engine/definition.js";
import { SettingError } from "../engine/errors.js";
import { readyChecks } from "../http/balancing.js";
import type { HttpDefinition } from "../http/definition.js";
import { connectReplicas, type Replicas } from "../http/replicas.js";
import { createLog, logLevelFrom, type Logger } from "../observe/log.js";
import type { Server } from "../server/define-server.js";
import type { Environment } from "../start/env.js";
import { makeServer, withoutSwitchedOff, type MakeOptions } from "../start/make-server.js";
import { FetchEndpoint } from "./endpoint.js";

/** What a runtime knows beside the request. */
export interface FetchSettings<Context> {
  /**
   * The client's address, from what the runtime passes beside the request or from a header that the runtime itself sets. Limits
   * are shared by address; without one, all clients without credentials share as one.
   */
  readonly address?: (request: Request, context: Context) => string | undefined;
  /**
   * Lets the runtime finish work that its request has started, such as making the server, also if the client goes away. Workers
   * need it: `(work, context) => context.waitUntil(work)`.
   */
  readonly waitUntil?: (work: Promise<unknown>, context: Context) => void;
  /** Whether connections outlast the request that opened them, so that `redis()` can share what replicas share. */
  readonly keepsConnections?: boolean;
  /** Where the texts of variables come from. By default, the server's own `environment`, or else `process.env`. */
  readonly environment?: Environment;
  /** The log; by default, lines go to the console, as runtimes collect them. */
  readonly log?: Logger;
}

/** Answers a request. `context` is what the runtime passes beside it. */
export type FetchHandler<Context> = (request: Request, context: Context) => Promise<Response>;

/**
 * Serves the transport `http` of a server on a runtime that calls a function with a `Request`: every guard, limit and check of
 * access is that of `start`. The server is made at the first request, since some runtimes allow no work before. The runtime
 * listens, ends TLS and may drop connections.
 *
 * @throws SettingError at once, if the server has no transport `http`
 */
export function fetchHandler<Env, Services, Context = unknown>(
  server: Server<Env, Services>,
  settings: FetchSettings<Context> = {},
): FetchHandler<Context> {
  const definition = httpOf(server.definition);
  let making: Promise<FetchEndpoint> | undefined;
  let log = settings.log;
  const make = (): Promise<FetchEndpoint> => {
    const environment = settings.environment ?? server.environment ?? process.env;
    log ??= consoleLog(environment);
    const { keepsConnections = false } = settings;
    return makeEndpoint(server, definition, { environment, log, keepsConnections });
  };
  let retryAt = -Infinity;
  const fail = (error: unknown): undefined => {
    // What is wrong may be mended soon: a backend that was not there.
    making = undefined;
    retryAt = performance.now() + retryMs;
    const isSettingError = error instanceof Error && error.name === "SettingError";
    log?.error("the server could not start", {
      error: isSettingError ? error.message : describeError(error),
    });
  };
  const answer: FetchHandler<Context> = async (request, context) => {
    const endpoint = await (making ??= make()).catch(fail);
    if (endpoint === undefined) return notStarted();
    return endpoint.answer(request, settings.address?.(request, context), (work) =>
      settings.waitUntil?.(work, context),
    );
  };
  return async (request, context) => {
    if (making === undefined && performance.now() < retryAt) return notStarted();
    const answering = answer(request, context);
    settings.waitUntil?.(answering, context);
    return answering;
  };
}

/** How long after a failed start the next request tries again, in milliseconds. */
const retryMs = 5_000;

function notStarted(): Response {
  const error = { code: -32000, message: "The server could not start; its log says why" };
  return Response.json({ jsonrpc: "2.0", error }, { status: 503 });
}

/** The transport that is served. @throws SettingError if there is none, or it needs what only a process has */
function httpOf({ transports }: Pick<ServerDefinition, "transports">): HttpDefinition {
  const found = transports.find((transport) => transport.type === "http");
  if (found === undefined) throw new SettingError("the server has no transport http to serve");
  if (found.sessions === "memory") {
    throw new SettingError("sessions need a process that stays: set sessions to none");
  }
  return found;
}

async function makeEndpoint<Env, Services>(
  project: Server<Env, Services>,
  http: HttpDefinition,
  {
    environment,
    log,
    keepsConnections,
  }: Required<Pick<FetchSettings<never>, "environment" | "log" | "keepsConnections">>,
): Promise<FetchEndpoint> {
  const { joinReplicas } = project.definition;
  if (joinReplicas !== undefined && !keepsConnections) {
    throw new SettingError("redis shares nothing here: connections do not outlast a request");
  }
  let authentication: Authenticator | undefined;
  let replicas: Replicas | undefined;
  let ready: (() => boolean | Promise<boolean>) | undefined;
  const callers: MakeOptions["chosen"][number] = {
    prepare: refuseMisspeltAuthenticate,
    connect: async (definition, process) => {
      replicas = await (await joinReplicas?.())?.(definition, process);
    },
    serverOptions: (context, env, services, definition, place) => {
      const verification = definition.createVerification?.(env as never, place);
      authentication = authenticatorOf(context, { env, services }, verification);
      ready = () => context.ready?.(services) ?? true;
      const { nonces, accountStore } = replicas ?? {};
      return { authentication, nonces, accountStore };
    },
  };
  const served = await withoutSwitchedOff(project, {}, environment, log);
  const running = await makeServer(served, {
    ...{ environment, log },
    served: new Set(["http"]),
    chosen: [callers],
    called: networkExports,
  });
  if (running === undefined) throw new SettingError("a variable is missing or wrong");
  const { server } = running;
  if (authentication === undefined) warnOfScopes(server);
  if (ready !== undefined) readyChecks.set(server, ready);
  if (replicas !== undefined) connectReplicas(server, replicas);
  log.info("serving", {
    transport: "http",
    path: http.path,
    state:
      replicas === undefined
        ? "limits, switches and notifications hold within this process or isolate alone"
        : "what replicas share is shared through Redis, and all else holds within this process alone",
  });
  return new FetchEndpoint(server, http);
}

/** A log on the console. */
function consoleLog(environment: Environment): Logger {
  const { console } = globalThis;
  return createLog({
    level: logLevelFrom(environment),
    write: (line) => console.error(line.trimEnd()),
  });
}
