import { parsePort, type StartFlags } from "./command-line.js";
import type {
  CustomDefinition,
  NetworkDefinition,
  TransportDefinition,
} from "../engine/definition.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Transports that share a listener. */
export type Listener = readonly [NetworkDefinition, ...NetworkDefinition[]];

/** The transports to start. */
export interface TransportChoice {
  readonly stdio: boolean;
  readonly listeners: readonly Listener[];
  readonly custom?: CustomDefinition;
}

/**
 * Which transports to start, and where they listen: flags go before `PORT` and `HOST` of the
 * environment, and these before the manifest.
 * @param isTerminal Whether someone types at stdin: beside other transports, stdio is left out then.
 * @throws Error with a message for the user when the wish cannot be had
 */
export function chooseTransports(
  declared: readonly TransportDefinition[],
  flags: StartFlags,
  environment: Environment,
  isTerminal: boolean,
): TransportChoice {
  for (const type of flags.transports) {
    if (!declared.some((transport) => transport.type === type)) {
      throw new Error(`This server has no transport ${type}`);
    }
  }
  const all = flags.transports.length === 0;
  const chosen = declared.filter(({ type }) => all || flags.transports.includes(type));
  const hasStdio = chosen.some(({ type }) => type === "stdio");
  const custom = chosen.find((transport) => transport.type === "custom");
  const network = networkAddresses(declared.filter(isNetwork), flags, environment);
  const listeners = byAddress(network.filter(({ definition }) => isAmong(definition, chosen)));
  const standsAlone = listeners.length === 0 && custom === undefined;
  return {
    stdio: hasStdio && !(all && !standsAlone && isTerminal),
    listeners,
    ...(custom === undefined ? {} : { custom }),
  };
}

function isNetwork(transport: TransportDefinition): transport is NetworkDefinition {
  return transport.type !== "stdio" && transport.type !== "custom";
}

function isAmong({ type }: NetworkDefinition, transports: readonly TransportDefinition[]): boolean {
  return transports.some((transport) => transport.type === type);
}

interface Addressed {
  readonly definition: NetworkDefinition;
  /** Equal for transports that share a listener. */
  readonly listener: string;
}

/**
 * A host is for every transport; a port for the one that is http, or the first, and for those that
 * share its address. Port 0 is for all: each listener picks one.
 * @throws Error with a message for the user when `PORT` is no port
 */
function networkAddresses(
  network: readonly NetworkDefinition[],
  flags: StartFlags,
  environment: Environment,
): Addressed[] {
  const port = flags.port ?? parsePort("PORT", environment["PORT"]);
  const host = flags.host ?? (environment["HOST"] || undefined);
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

function addressOf({ host, port }: NetworkDefinition): string {
  return `${host.toLowerCase()} ${port}`;
}

function byAddress(network: readonly Addressed[]): Listener[] {
  const listeners = new Map<string, [NetworkDefinition, ...NetworkDefinition[]]>();
  for (const { definition, listener } of network) {
    const sharing = listeners.get(listener);
    if (sharing === undefined) listeners.set(listener, [definition]);
    else sharing.push(definition);
  }
  return [...listeners.values()];
}
