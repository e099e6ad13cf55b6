import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clientParts } from "./client-parts.js";
import { projectFolder, serverEnvironment, type ServerContract } from "../contract.js";
import { closeLater, entry } from "./harness.js";
import type { Fetch } from "./http.js";
import { ServerStderr } from "./server-stderr.js";

/** The built server as a process that listens. */
export interface ListeningServer {
  /** Where the transport of this type listens: `http://127.0.0.1:49152/mcp`. */
  url(transport: string): Promise<string>;
  /** Sends requests to it, over TLS too. */
  readonly fetch: Fetch;
  readonly stderr: ServerStderr;
}

let running: ListeningServer | undefined;

/**
 * The built server with all its transports that listen, in one process. It is started when it is
 * first asked for, on free ports.
 */
export function listeningServer(contract: ServerContract): ListeningServer {
  return (running ??= start(contract));
}

function start(contract: ServerContract): ListeningServer {
  const types = contract.transports.map(({ type }) => String(type));
  const flags = types.filter((type) => type !== "stdio").map((type) => `--${type}`);
  const tls = tlsOf(contract);
  // A variable of the manifest may have the name by which the runtime is told where to listen.
  const hasHost = contract.env.some(({ name }) => name === "HOST");
  const address = [...(hasHost ? ["--host", "127.0.0.1"] : []), "--port", "0"];
  const parameters = [...(contract.nodeArguments ?? []), entry, ...flags, ...address];
  const child = spawn(process.execPath, parameters, {
    cwd: fileURLToPath(projectFolder),
    env: { ...serverEnvironment(contract), ...tls?.environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  closeLater(async () => {
    child.kill();
    await ended;
    tls?.remove();
    running = undefined;
  });
  const stderr = new ServerStderr(child.stderr);
  // The log entry that a server writes for each transport once it listens.
  const urlOf = (transport: string): Promise<string> =>
    stderr.explain(() => stderr.find(new RegExp(`"transport":"${transport}","url":"([^"]+)"`)));
  const urls = new Map(flags.map((flag) => [flag.slice(2), urlOf(flag.slice(2))]));
  for (const url of urls.values()) url.catch(() => undefined);
  return {
    url: (transport) => urls.get(transport) as Promise<string>,
    fetch: tls === undefined ? (request) => fetch(request) : tls.fetch,
    stderr,
  };
}

/** The files of a certificate, in the variables that the contract names. */
function tlsOf({ transports }: ServerContract) {
  const names = transports.map(({ tls }) => tls).find((tls) => tls !== undefined);
  if (names === undefined || clientParts.tls === undefined) return undefined;
  const { fetch, writeFiles } = clientParts.tls;
  const { folder, cert, key } = writeFiles();
  const variables = names as { readonly cert: string; readonly key: string };
  return {
    fetch,
    environment: { [variables.cert]: cert, [variables.key]: key },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
