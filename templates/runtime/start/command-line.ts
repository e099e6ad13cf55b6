import { parseArgs } from "node:util";

export type TransportType = "stdio" | "http" | "sse" | "websocket" | "custom";

/** What the command line asks for. */
export interface StartFlags {
  /** The transports to serve; none means all. */
  readonly transports: readonly TransportType[];
  readonly port?: number;
  readonly host?: string;
  readonly mock: boolean;
  readonly dotenv?: string;
  readonly help: boolean;
  readonly version: boolean;
}

const transportHelp: Readonly<Record<TransportType, string>> = {
  stdio: "serve on stdin and stdout",
  http: "serve over HTTP",
  sse: "serve over HTTP with server-sent events",
  websocket: "serve over WebSocket",
  custom: "serve over the transport of the project's own",
};
const transportTypes = Object.keys(transportHelp) as TransportType[];

/** The options of a server with these transports, in words. */
export function usage(transports: readonly { readonly type: TransportType }[]): string {
  const declared = transportTypes.filter((type) => transports.some((one) => one.type === type));
  const listens = declared.some((type) => type !== "stdio" && type !== "custom");
  const options: [flag: string, help: string][] = [
    ...declared.map((type): [string, string] => [`--${type}`, transportHelp[type]]),
    ...(listens
      ? ([
          ["--port <number>", "port to listen on; 0 picks a free one (environment: PORT)"],
          ["--host <name>", "address to listen on (environment: HOST)"],
        ] as [string, string][])
      : []),
    ["--mock", "answer for tools that are not written yet"],
    ["--dotenv <path>", "read environment variables from a file, if it is there"],
    ["--help", "show this text"],
    ["--version", "show the version"],
  ];
  const lines = options.map(([flag, help]) => `  ${flag.padEnd(18)}${help}`);
  const flags = declared.map((type) => `--${type}`);
  const without =
    flags.length > 1 ? [`Without ${flags.join(", ")}, every transport is served.`] : [];
  return ["Options:", ...lines, ...without].join("\n");
}

/** @throws Error with a message for the user when an argument is wrong */
export function parseFlags(args: readonly string[]): StartFlags {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      stdio: flag,
      http: flag,
      sse: flag,
      websocket: flag,
      custom: flag,
      port: { type: "string" },
      host: { type: "string" },
      mock: flag,
      dotenv: { type: "string" },
      help: flag,
      version: flag,
    },
  });
  const { mock, help, version, dotenv, host } = values;
  const port = parsePort("--port", values.port);
  return {
    transports: transportTypes.filter((type) => values[type]),
    ...{ mock, help, version },
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(dotenv === undefined ? {} : { dotenv }),
  };
}

/** @throws Error with a message for the user when the text is no port */
export function parsePort(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error(`${name} must be a port, 0 to 65535`);
  return port;
}
