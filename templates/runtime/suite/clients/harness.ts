import { Client, type Transport } from "@modelcontextprotocol/client";
import type { ServerContract } from "../contract.js";
import type { Era } from "../../context/context.js";
import { ServerStderr } from "./server-stderr.js";
import { StdioProcess } from "./stdio-process.js";

/** A client, and the stderr of its server. */
export interface ConnectedServer {
  readonly client: Client;
  readonly stderr: ServerStderr;
}

/** A client of a server that has a process of its own. */
export interface StdioServer extends ConnectedServer {
  readonly process: StdioProcess;
}

/** Connects to the built server over one of its transports. */
export type Connect = (era: Era, contract: ServerContract) => Promise<ConnectedServer>;

const closers: (() => unknown)[] = [];

/** Closes all clients and processes that the functions of this module have opened; for `test.after`. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}

/** Adds a client or a process to those that {@link closeAll} closes. */
export function closeLater(close: () => unknown): void {
  closers.push(close);
}

const connected = new Map<Era, Promise<StdioServer>>();

/**
 * Returns a client of the built server over stdio. All tests of an era share one, since a start takes longer than most
 * tests. If the server has ended, it is started again.
 */
export function connectStdio(era: Era, contract: ServerContract): Promise<StdioServer> {
  const found = connected.get(era);
  if (found !== undefined) return found;
  const started = startStdio(era, contract);
  connected.set(era, started);
  const forget = (): unknown => connected.get(era) === started && connected.delete(era);
  closeLater(forget);
  started.then(({ client }) => (client.onclose = forget), forget);
  return started;
}

/** Starts the built server with `--stdio` and returns a client of it. */
async function startStdio(era: Era, contract: ServerContract): Promise<StdioServer> {
  const process = new StdioProcess(contract);
  const stderr = new ServerStderr(process.stderr);
  const client = await stderr.explain(() => connect(process, era));
  return { client, stderr, process };
}

/** Connects a client over a transport that is not started yet. */
export async function connect(transport: Transport, era: Era): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(
    { name: "contract-tests", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  closeLater(() => client.close());
  await client.connect(transport);
  return client;
}
