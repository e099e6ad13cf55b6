import { drainMs, servicesMs } from "../../../templates/runtime/start/transport.js";
import type { AddressModel, HttpTransportModel, ServerModel } from "../../model/server-model.js";
import { commandName, httpTransport } from "../project/package-json.js";

/** What the files that run a server in containers say alike. */
export interface Container {
  /** A label of DNS, which names images, services and deployments. */
  readonly name: string;
  /** Name and tag. */
  readonly image: string;
  readonly ports: readonly ContainerPort[];
  /** What the server is started with. */
  readonly arguments: readonly string[];
}

export interface ContainerPort {
  /** Type of the first transport that listens there. */
  readonly name: string;
  readonly port: number;
}

/** The longest label of DNS. */
const LABEL_LENGTH = 63;

/** Seconds for which a server goes on before it is told to stop: proxies learn one by one that it leaves. */
export const NOTICE_SECONDS = 5;

/** Seconds that a server may take to stop, with a notice that others give for it, or with its own. */
export const STOP_SECONDS = NOTICE_SECONDS + (drainMs + servicesMs) / 1_000;

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

/** Begins with a letter, as names of services must. */
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
    .filter(({ port }, index) => network.findIndex((one) => one.port === port) === index);
}

/** Nothing writes to the stdin of a container that serves a network. */
function argumentsOf({ transports }: ServerModel, network: readonly NetworkTransport[]): string[] {
  if (network.length === 0) return transports.map(({ type }) => `--${type}`);
  return [...network.map(({ type }) => `--${type}`), "--host", "0.0.0.0"];
}

/** The transport with the page of health, which compose files and Kubernetes need. */
export function requireHttp(model: ServerModel): HttpTransportModel {
  const http = httpTransport(model);
  if (http === undefined) throw new Error("the deployment has no transport http");
  return http;
}
