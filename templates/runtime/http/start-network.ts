import type { Authenticator } from "../authentication/authenticate.js";
import {
  authenticatorOf,
  networkExports,
  refuseMisspeltAuthenticate,
  warnOfScopes,
} from "../authentication/network-callers.js";
import type { RunningServer } from "../server/create-server.js";
import { exitStatus } from "../start/shut-down.js";
import type { ValueOption } from "../start/command-line.js";
import type { Environment } from "../start/env.js";
import {
  drainMs,
  type ChosenTransports,
  type RunningTransport,
  type TransportGroup,
} from "../start/transport.js";
import { addressOptions, chooseListeners, listenProblem, type Listener } from "./addresses.js";
import type { NetworkDefinition } from "./definition.js";
import { connectReplicas, type JoinReplicas, type Replicas } from "./replicas.js";
import { leave, readyChecks } from "./balancing.js";
import type { Endpoint, Listen, MakeEndpoint, RunningHttp } from "./transport.js";
/** Imports the code that serves a transport. It is called only if the transport is served. */
type Load<Part> = () => Promise<Part>;

/** The functions that serve the transports on the network. */
export interface NetworkHooks {
  /** `listen` of `http/listener.ts`, or `listenWithTls` of `http/tls.ts`. */
  readonly listen: Load<Listen>;
  /** The functions that make the endpoints, by the types of their transports. */
  readonly endpoints: ReadonlyMap<string, Load<MakeEndpoint<never>>>;
  /** `joinReplicas` of `scale/replicas.ts`. */
  readonly joinReplicas?: Load<JoinReplicas>;
  /** `newKey` of `access/new-key.ts`; absent unless the server accepts API keys. */
  readonly newKey?: (name: string) => string;
}

const keyOption: ValueOption = {
  name: "new-key",
  value: "name",
  help: "print a new API key and its entry for the server's keys, and exit",
};

/** The transports that listen on the network. */
export function serveNetwork(network: NetworkHooks): TransportGroup {
  const { newKey } = network;
  return {
    options: newKey === undefined ? addressOptions : [...addressOptions, keyOption],
    contextExports: networkExports,
    choose: (declared, chosen, flags, environment = process.env) => {
      const name = flags.values[keyOption.name];
      if (newKey !== undefined && name !== undefined) {
        process.stdout.write(newKey(name));
        process.exit(0);
      }
      const listeners = chooseListeners(declared, chosen, flags, environment);
      return listeners.length === 0 ? undefined : startOf(listeners, network, environment);
    },
  };
}

function startOf(
  listeners: readonly Listener[],
  network: NetworkHooks,
  environment: Environment,
): ChosenTransports {
  let authentication: Authenticator | undefined;
  let replicas: Replicas | undefined;
  let ready: (() => boolean | Promise<boolean>) | undefined;
  return {
    // Imported here, so that servers over stdio alone do not contain it.
    divide: async (server, count, log) => {
      const { divide } = await import("../workers/workers.js");
      const [[address] = [{ host: "127.0.0.1", port: 0 }]] = listeners;
      return divide(server, count, { host: address.host, port: address.port }, log);
    },
    prepare: refuseMisspeltAuthenticate,
    connect: async (definition, process) => {
      const joined = await (await network.joinReplicas?.())?.(definition, process);
      const { worker, controls } = process;
      replicas = worker === undefined ? joined : await worker.join(definition, controls, joined);
    },
    serverOptions: (context, env, services, definition, project) => {
      const verification = definition.createVerification?.(env as never, project);
      ready = () => context.ready?.(services) ?? true;
      authentication = authenticatorOf(context, { env, services }, verification);
      const { nonces, taskStore, accountStore } = replicas ?? {};
      return { authentication, nonces, taskStore, accountStore };
    },
    start: async (server, { add }) => {
      if (authentication === undefined) warnOfScopes(server);
      if (ready !== undefined) readyChecks.set(server, ready);
      if (replicas !== undefined) add(replicaConnection(server, replicas));
      for (const listener of listeners) {
        add(await startListener(server, listener, network, environment));
      }
    },
  };
}

/** Keeps replicas connected until running calls have ended, since these may notify them of changes. */
function replicaConnection(server: RunningServer, replicas: Replicas): RunningTransport {
  connectReplicas(server, replicas);
  return {
    close: async () => {
      await leave(server);
      await server.drain(drainMs);
      await replicas.close();
    },
  };
}

/** Starts the transports of one address. If it cannot be listened on, the process ends. */
async function startListener(
  server: RunningServer,
  transports: Listener,
  network: NetworkHooks,
  environment: Environment,
): Promise<RunningTransport> {
  const [first, ...others] = transports;
  const listen = await network.listen();
  const endpoints = [
    await endpointFor(server, first, network),
    ...(await Promise.all(others.map((transport) => endpointFor(server, transport, network)))),
  ] as const;
  let running: RunningHttp;
  try {
    running = await listen(server, endpoints, environment);
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
  const load = network.endpoints.get(transport.type);
  if (load === undefined) throw new Error(`the project does not supply ${transport.type}`);
  const make = await load();
  return make(server, transport as never);
}
