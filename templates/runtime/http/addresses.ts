import { SettingError } from "../engine/errors.js";
import type { StartFlags, TransportType, ValueOption } from "../start/command-line.js";
import type { TransportDefinition } from "../engine/definition.js";
import type { NetworkDefinition } from "./definition.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of the command line for addresses. */
export const addressOptions: readonly ValueOption[] = [
  {
    name: "port",
    value: "number",
    help: "port to listen on; 0 picks a free one (environment: PORT)",
  },
  { name: "host", value: "name", help: "address to listen on (environment: HOST)" },
];

/** Transports that share a listener. */
export type Listener = readonly [NetworkDefinition, ...NetworkDefinition[]];

/**
 * The addresses of the chosen transports. Flags have priority over `PORT` and `HOST` of the environment, and
 * these over the manifest.
 * @throws Error with a message for the user if a port is invalid
 */
export function chooseListeners(
  declared: readonly TransportDefinition[],
  chosen: ReadonlySet<TransportType>,
  flags: StartFlags,
  environment: Environment,
): Listener[] {
  const network = networkAddresses(declared.filter(isNetwork), flags, environment);
  return byAddress(network.filter(({ definition }) => chosen.has(definition.type)));
}

function isNetwork(transport: TransportDefinition): transport is NetworkDefinition {
  return "host" in transport;
}

interface NetworkAddress {
  readonly definition: NetworkDefinition;
  /** The address in the manifest, which is equal for transports that share a listener. */
  readonly listener: string;
}

/**
 * Applies the host of flags or environment to all transports. The port applies to the http transport, or else
 * the first, and to those with the same address. Port 0 applies to all, and each listener picks a free port.
 * @throws Error with a message for the user if a port is invalid
 */
function networkAddresses(
  network: readonly NetworkDefinition[],
  { values }: StartFlags,
  environment: Environment,
): NetworkAddress[] {
  const port = parsePort("--port", values["port"]) ?? parsePort("PORT", environment["PORT"]);
  const host = values["host"] ?? (environment["HOST"] || undefined);
  const main = network.find(({ type }) => type === "http") ?? network[0];
  return network.map((definition) => {
    const isMain = addressOf(definition) === (main && addressOf(main));
    const chosen = port !== undefined && (isMain || port === 0) ? port : definition.port;
    return {
      definition: { ...definition, port: chosen, host: host ?? definition.host },
      listener: addressOf(definition),
    };
  });
}

/** @throws Error with a message for the user if the text is no port */
function parsePort(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${name} must be a port, 0 to 65535`);
  return port;
}

function addressOf({ host, port }: NetworkDefinition): string {
  return `${host.toLowerCase()} ${port}`;
}

function byAddress(network: readonly NetworkAddress[]): Listener[] {
  const listeners = new Map<string, [NetworkDefinition, ...NetworkDefinition[]]>();
  for (const { definition, listener } of network) {
    const sharing = listeners.get(listener);
    if (sharing === undefined) listeners.set(listener, [definition]);
    else sharing.push(definition);
  }
  return [...listeners.values()];
}

/** The advice for the user about an address that cannot be listened on; undefined for other errors. */
export function listenProblem(
  error: unknown,
  { host, port }: Pick<NetworkDefinition, "host" | "port">,
): string | undefined {
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
