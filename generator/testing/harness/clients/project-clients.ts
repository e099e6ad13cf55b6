import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { SingleProcessTransport } from "./single-process-transport.js";

/** `modern` is protocol 2026-07-28, `legacy` the ones before it, with their handshake. */
export type Era = "modern" | "legacy";

export interface StartedServer {
  readonly url: string;
  /** The lines that it logged before it listened. */
  readonly log: readonly string[];
  stop(): Promise<void>;
  /** Ends the process at once, whatever it does. */
  kill(): Promise<void>;
}

/** A client of a built project's server, started over stdio. Closing the client ends the server. */
export function connectStdio(
  folder: string,
  era: Era,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Client> {
  return connectProgram(join(folder, "dist/src/main.js"), folder, era, env, flags);
}

/**
 * A client of a server whose main module is given. Closing the client ends the server.
 * @param node the Node.js that runs it
 */
export function connectProgram(
  program: string,
  cwd: string,
  era: Era,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  node = process.execPath,
): Promise<Client> {
  return connect(
    new SingleProcessTransport({
      command: node,
      args: [program, "--stdio", ...flags],
      cwd,
      env: { ...inheritedEnvironment(), ...env },
      stderr: "ignore",
    }),
    era,
  );
}

/**
 * A client of a server that listens already.
 * @param headers Headers of its requests, such as a token.
 */
export function connectHttp(
  url: string,
  era: Era,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const requestInit = { headers: { ...headers } };
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }), era);
}

/**
 * A client's side of the custom transport of examples/transports, in a built project that has its files;
 * waits until the server has made its socket.
 */
export async function socketTransport(folder: string, socketPath: string): Promise<Transport> {
  while (!existsSync(socketPath)) await delay(20);
  const module = pathToFileURL(join(folder, "dist/test/socket-client.js")).href;
  const { SocketClientTransport } = (await import(module)) as {
    SocketClientTransport: new (path: string) => Transport;
  };
  return new SocketClientTransport(socketPath);
}

async function connect(transport: Transport, era: Era): Promise<Client> {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client({ name: "demo", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

/**
 * Starts a built project's server over HTTP on a free loopback port, and waits until it listens.
 * @param others Flags of the other transports to start with it, `--sse` say, at the same address.
 * @param hear Is told each line that it logs once it listens.
 */
export function startHttp(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  others: readonly string[] = [],
  hear?: (line: string) => void,
): Promise<StartedServer> {
  return startProgram(folder, "dist/src/main.js", env, others, hear);
}

/** The same for any program that serves over HTTP. @param program its main module, from the folder */
export async function startProgram(
  folder: string,
  program: string,
  env: Readonly<Record<string, string>> = {},
  others: readonly string[] = [],
  hear?: (line: string) => void,
): Promise<StartedServer> {
  const args = [program, "--http", ...others, "--port", "0"];
  return serverOf({ command: process.execPath, args, folder, env }, hear);
}

/** A command line, with the variables that it gets beside those of this process. */
export interface CommandLine {
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts a server over HTTP by a command that may have other processes between itself and the server, as those of package
 * managers have. Stopping it ends them all.
 */
export function startGroup(line: CommandLine): Promise<StartedServer> {
  return serverOf(line, undefined, true);
}

/** @param isGroup whether signals reach all processes that the command starts */
async function serverOf(
  { folder, command, args, env }: CommandLine,
  hear?: (line: string) => void,
  isGroup = false,
): Promise<StartedServer> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ["ignore", "ignore", "pipe"],
    detached: isGroup,
  });
  const exited = once(child, "exit");
  const signal = (name: "SIGTERM" | "SIGKILL"): void => {
    if (isGroup) process.kill(-child.pid!, name);
    else child.kill(name);
  };
  const log: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    log.push(line);
    const url = /"transport":"http","url":"([^"]+)"/.exec(line)?.[1];
    if (url === undefined) continue;
    if (hear === undefined) child.stderr.resume();
    else createInterface({ input: child.stderr }).on("line", hear);
    const stop = async (): Promise<void> => {
      signal("SIGTERM");
      await exited;
    };
    const kill = async (): Promise<void> => {
      signal("SIGKILL");
      await exited;
    };
    return { url, log, stop, kill };
  }
  throw new Error(`the server ended before it listened\n${log.join("\n")}`);
}

function inheritedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}
