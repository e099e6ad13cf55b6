import type { RunningServer } from "../server/create-server.js";
import type {
  HttpDefinition,
  NetworkDefinition,
  SseDefinition,
  WebSocketDefinition,
} from "../engine/definition.js";
import { SettingError } from "../engine/errors.js";
import { exitStatus } from "./shut-down.js";
import type { Listener } from "./transport-choice.js";
import type {
  Endpoint,
  Listen,
  Load,
  MakeEndpoint,
  RunningHttp,
  RunningTransport,
} from "./transport.js";

/** What serves the transports behind listeners. */
export interface NetworkHooks {
  /** `listen` of `http-listener.ts`, or `listenWithTls` of `http-tls.ts`. */
  readonly listen: Load<Listen>;
  /** `httpEndpoint` of `http.ts`, or `httpEndpointWithSessions` of `http-sessions.ts`. */
  readonly http?: Load<MakeEndpoint<HttpDefinition>>;
  /** `sseEndpoint` of `sse.ts`. */
  readonly sse?: Load<MakeEndpoint<SseDefinition>>;
  /** `webSocketEndpoint` of `websocket.ts`. */
  readonly websocket?: Load<MakeEndpoint<WebSocketDefinition>>;
}

/** Starts the transports of one address; where it cannot be listened on, the process ends. */
export async function startListener(
  server: RunningServer,
  transports: Listener,
  network: NetworkHooks,
): Promise<RunningTransport> {
  const [first, ...others] = transports;
  const listen = await network.listen();
  const endpoints = [
    await endpointFor(server, first, network),
    ...(await Promise.all(others.map((transport) => endpointFor(server, transport, network)))),
  ] as const;
  let running: RunningHttp;
  try {
    running = await listen(server, endpoints);
  } catch (error) {
    const problem = listenProblem(error, first);
    if (problem === undefined) throw error;
    server.log.error(problem);
    process.exit(exitStatus.failure);
  }
  for (const [transport, url] of running.urls) server.log.info("serving", { transport, url });
  return running;
}

async function endpointFor(
  server: RunningServer,
  transport: NetworkDefinition,
  network: NetworkHooks,
): Promise<Endpoint> {
  const load = network[transport.type] as Load<MakeEndpoint<NetworkDefinition>> | undefined;
  if (load === undefined) throw new Error(`the project does not supply ${transport.type}`);
  const make = await load();
  return make(server, transport);
}

/** What the user can do about an address that cannot be listened on; undefined for other errors. */
function listenProblem(error: unknown, { host, port }: NetworkDefinition): string | undefined {
  if (error instanceof SettingError) return error.message;
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is in use; choose another with --port`;
    case "EACCES":
      return `port ${port} on ${host} is not allowed to this user; choose another with --port`;
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
    case "ENOTFOUND":
      return `host ${host} is not known as an address of this machine; choose another with --host`;
    default:
      return undefined;
  }
}
