import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serverEnvironment, type ServerContract } from "../contract.js";
import { closeLater } from "./harness.js";
import type { Fetch } from "./http.js";
import { ServerStderr } from "./server-stderr.js";
import { testTls } from "./tls.js";

/** The built server as a process that listens. */
export interface ListeningServer {
  /** Returns the URL of a transport, such as `http://127.0.0.1:49152/mcp`. */
  url(transport: string): Promise<string>;
  /** Sends requests to the server. It trusts the server's certificate. */
  readonly fetch: Fetch;
  readonly stderr: ServerStderr;
}

let running: ListeningServer | undefined;

/**
 * Returns the built server with all its transports that listen, in one process. The first call starts it on free
 * ports.
 */
export function listeningServer(contract: ServerContract): ListeningServer {
  return (running ??= start(contract));
}

function start(contract: ServerContract): ListeningServer {
  const types = contract.transports.map(({ type }) => String(type));
  const flags = types.filter((type) => type !== "stdio").map((type) => `--${type}`);
  const tls = tlsOf(contract);
  // A variable of the manifest may be named HOST, like the runtime's own variable.
  const hasHost = contract.env.some(({ name }) => name === "HOST");
  const address = [...(hasHost ? ["--host", "127.0.0.1"] : []), "--port", "0"];
  const parameters = [...contract.project.entry, ...flags, ...address];
  const child = spawn(process.execPath, parameters, {
    cwd: fileURLToPath(contract.project.folder),
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
  // The server logs this entry for each transport that listens.
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

/** Returns the variables of the contract, with the paths of the certificate's files. */
function tlsOf({ transports }: ServerContract) {
  const names = transports.map(({ tls }) => tls).find((tls) => tls !== undefined);
  if (names === undefined) return undefined;
  const { fetch, writeFiles } = testTls();
  const { folder, cert, key } = writeFiles();
  const variables = names as { readonly cert: string; readonly key: string };
  return {
    fetch,
    environment: { [variables.cert]: cert, [variables.key]: key },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
