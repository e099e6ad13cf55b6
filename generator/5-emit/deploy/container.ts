import { drainMs, servicesMs } from "../../../templates/runtime/start/transport.js";
import type { ServerModel } from "../../model/server-model.js";
import type { AddressModel, HttpTransportModel } from "../../model/transports.js";
import { commandName, httpTransport } from "../model-facts.js";

/** Properties of the server's container that all deployment files share. */
export interface Container {
  /** A DNS label. It names the image, the service and the deployment. */
  readonly name: string;
  /** Name and tag. */
  readonly image: string;
  readonly ports: readonly ContainerPort[];
  /** Arguments of the server's command line. */
  readonly arguments: readonly string[];
}

/** A port on which the server listens. */
export interface ContainerPort {
  /** Type of the first transport that listens there. */
  readonly name: string;
  readonly port: number;
}

/** Maximum length of a DNS label. */
const LABEL_LENGTH = 63;

/** Seconds between the removal of a server from its proxies and its stop. Proxies do not learn of it at once. */
export const NOTICE_SECONDS = 5;

/** Seconds that a server may take to stop, including the notice to proxies. */
export const STOP_SECONDS = NOTICE_SECONDS + (drainMs + servicesMs) / 1_000;

/** The container of a server. */
export function containerOf(model: ServerModel): Container {
  const name = dnsLabel(commandName(model));
  const network = networkOf(model);
  return {
    name,
    image: `${name}:${(model.version ?? "latest").replaceAll("+", "_")}`,
    ports: portsOf(network),
    arguments: argumentsOf(model, network),
  };
}

/** A DNS label that starts with a letter, as names of services must. */
function dnsLabel(name: string): string {
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const label = /^[a-z]/.test(words) ? words : `mcp-${words.replace(/^-/, "")}`;
  return label.slice(0, LABEL_LENGTH).replace(/-$/, "");
}

type NetworkTransport = AddressModel & { readonly type: string };

function networkOf({ transports }: ServerModel): NetworkTransport[] {
  return transports.flatMap((transport) => ("port" in transport ? [transport] : []));
}

function portsOf(network: readonly NetworkTransport[]): ContainerPort[] {
  return network
    .map(({ type, port }) => ({ name: type, port }))
    .filter(({ port }, index) => network.findIndex((other) => other.port === port) === index);
}

/** The flags of the network transports; the others only if there are none, since such a container has no stdin. */
function argumentsOf({ transports }: ServerModel, network: readonly NetworkTransport[]): string[] {
  if (network.length === 0) return transports.map(({ type }) => `--${type}`);
  return [...network.map(({ type }) => `--${type}`), "--host", "0.0.0.0"];
}

/**
 * The transport with the health endpoint, which compose files and Kubernetes need.
 *
 * @throws if the server has no transport `http`
 */
export function requireHttp(model: ServerModel): HttpTransportModel {
  const http = httpTransport(model);
  if (http === undefined) throw new Error("the deployment has no transport http");
  return http;
}
