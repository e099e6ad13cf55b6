import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { projectFolder, serverEnvironment, type ServerContract } from "../contract.js";
import { ServerStderr } from "./server-stderr.js";

/** `modern` is protocol 2026-07-28, `legacy` the ones before it, with their handshake. */
export type Era = "modern" | "legacy";

/** A client, and what its server has to say beside the protocol. */
export interface ConnectedServer {
  readonly client: Client;
  readonly stderr: ServerStderr;
}

/** Connects to the built server over one of its transports. */
export type Connect = (era: Era, contract: ServerContract) => Promise<ConnectedServer>;

/** The built server with the services of `test/services.ts`, from the project's folder. */
export const entry = "dist/test/generated/server.js";
const openThings: (() => unknown)[] = [];

/** Closes every client and process that the functions of this module opened: for `test.after`. */
export async function closeAll(): Promise<void> {
  await Promise.all(openThings.splice(0).map((close) => close()));
}

/** Has a thing closed by {@link closeAll}. */
export function closeLater(close: () => unknown): void {
  openThings.push(close);
}

/**
 * Of the SDK's own class a client starts two processes: one to ask for the protocol version, whose
 * stderr is lost, and one to talk to. Of any other class it starts one.
 */
class SingleProcessTransport extends StdioClientTransport {}

/** A client of the built server, which it starts with `--stdio`. */
export async function connectStdio(era: Era, contract: ServerContract): Promise<ConnectedServer> {
  const transport = new SingleProcessTransport({
    command: process.execPath,
    args: [...(contract.nodeArguments ?? []), entry, "--stdio"],
    cwd: fileURLToPath(projectFolder),
    env: serverEnvironment(contract),
    stderr: "pipe",
  });
  const stderr = new ServerStderr(transport.stderr as Readable);
  const client = await stderr.explain(() => connect(transport, era));
  return { client, stderr };
}

/** A client on a transport that is not started yet. */
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
