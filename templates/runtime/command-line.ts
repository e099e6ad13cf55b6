import { parseArgs } from "node:util";
import type { HttpDefinition } from "./definition.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line asks for. */
export interface StartFlags {
  readonly stdio: boolean;
  readonly http: boolean;
  readonly port?: number;
  readonly host?: string;
  readonly mock: boolean;
  readonly dotenv?: string;
  readonly help: boolean;
  readonly version: boolean;
}

export const usage = `Options:
  --stdio           serve on stdin and stdout
  --http            serve over HTTP
  --port <number>   HTTP port; 0 picks a free one (environment: PORT)
  --host <name>     HTTP address to listen on (environment: HOST)
  --mock            answer for tools that are not written yet
  --dotenv <path>   read environment variables from a file, if it is there
  --help            show this text
  --version         show the version
Without --stdio and --http, every transport of the manifest is served.`;

/** @throws Error with a message for the user when an argument is wrong */
export function parseFlags(args: readonly string[]): StartFlags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stdio: { type: "boolean", default: false },
      http: { type: "boolean", default: false },
      port: { type: "string" },
      host: { type: "string" },
      mock: { type: "boolean", default: false },
      dotenv: { type: "string" },
      help: { type: "boolean", default: false },
      version: { type: "boolean", default: false },
    },
  });
  const { stdio, http, mock, help, version, dotenv } = values;
  const port = parsePort("--port", values.port);
  const { host } = values;
  return {
    ...{ stdio, http, mock, help, version },
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(dotenv === undefined ? {} : { dotenv }),
  };
}

/**
 * Where to listen: what the flags say, else `PORT` and `HOST` of the environment, else the manifest.
 * @throws Error with a message for the user when `PORT` is no port
 */
export function httpAddress(
  http: HttpDefinition,
  flags: StartFlags,
  environment: Environment,
): HttpDefinition {
  return {
    ...http,
    port: flags.port ?? parsePort("PORT", environment["PORT"]) ?? http.port,
    host: flags.host ?? (environment["HOST"] || http.host),
  };
}

function parsePort(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${name} must be a port, 0 to 65535`);
  return port;
}
