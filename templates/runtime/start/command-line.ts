import { parseArgs } from "node:util";
import type { TransportDefinition } from "../engine/definition.js";
import type { Environment } from "./env.js";

export type TransportType = TransportDefinition["type"];

/** The options of the command line. */
export interface StartFlags {
  /** The transports that options name. Empty if no option names one. */
  readonly transports: readonly TransportType[];
  /** The values of the options that transports add, by option name. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly mock: boolean;
  /** Whether only items are served that change nothing. */
  readonly readOnly?: true;
  readonly dotenv?: string;
  readonly help: boolean;
  readonly version: boolean;
}

/** A command-line option that a transport adds. The option takes a value. */
export interface ValueOption {
  readonly name: string;
  /** The placeholder of the value in the usage. */
  readonly value: string;
  readonly help: string;
}

const transportHelp: Readonly<Record<TransportType, string>> = {
  stdio: "serve on stdin and stdout",
  http: "serve over HTTP",
  sse: "serve over HTTP with server-sent events",
  websocket: "serve over WebSocket",
  custom: "serve over the project's own transport",
};
const transportTypes = Object.keys(transportHelp) as TransportType[];

/** The usage text of a server with these transports. */
export function usage(
  transports: readonly { readonly type: TransportType }[],
  transportOptions: readonly ValueOption[] = [],
): string {
  const declared = transportTypes.filter((type) => transports.some((one) => one.type === type));
  const options: [flag: string, help: string][] = [
    ...declared.map((type): [string, string] => [`--${type}`, transportHelp[type]]),
    ...transportOptions.map(({ name, value, help }): [string, string] => [
      `--${name} <${value}>`,
      help,
    ]),
    ["--read-only", "serve only what changes nothing"],
    ["--mock", "answer for handlers that are not written yet"],
    ["--dotenv <path>", "read environment variables from a file of the project, if it is there"],
    ["--help", "show this text"],
    ["--version", "show the version"],
  ];
  const lines = options.map(([flag, help]) => `  ${flag.padEnd(17)} ${help}`);
  const flags = declared.map((type) => `--${type}`);
  const exception = declared.includes("stdio") ? ", except stdio in a terminal" : "";
  const defaultNote =
    flags.length > 1 ? [`Without ${flags.join(", ")}, every transport is served${exception}.`] : [];
  return ["Options:", ...lines, ...defaultNote].join("\n");
}

/** Reads the options of the command line. @throws Error with a message for the user if an argument is wrong */
export function parseFlags(
  args: readonly string[],
  transportOptions: readonly ValueOption[] = [],
): StartFlags {
  const isSet = { type: "boolean" } as const;
  const hasValue = { type: "string" } as const;
  const options = {
    ...Object.fromEntries(transportTypes.map((type) => [type, isSet])),
    ...Object.fromEntries(transportOptions.map(({ name }) => [name, hasValue])),
    ...{ mock: isSet, "read-only": isSet, dotenv: hasValue, help: isSet, version: isSet },
  };
  const { values } = parseArgs({ args: [...args], options });
  const { mock = false, help = false, version = false, dotenv } = values;
  const valuesByName: Readonly<Record<string, unknown>> = values;
  return {
    transports: transportTypes.filter((type) => valuesByName[type]),
    values: Object.fromEntries(
      transportOptions.map(({ name }) => [name, valuesByName[name] as string | undefined]),
    ),
    ...{ mock, help, version },
    ...(values["read-only"] === true && { readOnly: true as const }),
    ...(dotenv === undefined ? {} : { dotenv }),
  };
}

/**
 * Returns the transports that the flags name. Without such flags it returns all, except stdio if the server
 * has other transports too and stdin is a terminal.
 * @throws Error with a message for the user if the server does not have a named transport
 */
export function chooseTransports(
  declared: readonly TransportDefinition[],
  { transports: requested }: StartFlags,
  isTerminal: boolean,
): ReadonlySet<TransportType> {
  const types = declared.map(({ type }) => type);
  for (const type of requested) {
    if (!types.some((other) => other === type))
      throw new Error(`This server has no transport ${type}`);
  }
  if (requested.length > 0) return new Set(requested);
  const isLeftOut = (type: TransportType): boolean =>
    type === "stdio" && isTerminal && types.length > 1;
  return new Set(types.filter((type) => !isLeftOut(type)));
}

/** The option for the number of processes that serve together. */
export const workersOption: ValueOption = {
  name: "workers",
  value: "number",
  help: "processes that serve HTTP together, or auto (environment: WEB_CONCURRENCY)",
};

/** The variable that platforms set to the number of processes. */
export const workersVariable = "WEB_CONCURRENCY";

/**
 * What the option or the variable says about the number of processes; undefined if neither says anything. The variable
 * counts only if the process serves over the network, since platforms set it for all programs.
 * @param served The transports that are served.
 */
export function askedWorkers(
  { values }: StartFlags,
  served: ReadonlySet<TransportType>,
  environment: Environment,
): string | undefined {
  const isOnNetwork = [...served].some((type) => type !== "stdio" && type !== "custom");
  const text =
    values[workersOption.name] ?? (isOnNetwork ? environment[workersVariable] : undefined);
  return text === "" ? undefined : text;
}

/** The option for the groups of items that are served. */
export const groupsOption: ValueOption = {
  name: "groups",
  value: "names",
  help: "serve only items of these groups, with commas between them",
};
