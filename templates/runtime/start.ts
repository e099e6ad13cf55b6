import { httpAddress, parseFlags, usage, type StartFlags } from "./command-line.js";
import type { Logger } from "./context.js";
import { createServer, type RunningServer } from "./create-server.js";
import type { HttpDefinition, NetworkDefinition, ServerDefinition } from "./definition.js";
import {
  readEnvironment,
  readRequestStateKeys,
  requestStateVariable,
  withPlaceholders,
} from "./env.js";
import { describeError, SettingError } from "./errors.js";
import { LiveState, type ServerControls } from "./live-state.js";
import { createLog, logLevelFrom, redirectConsole } from "./log.js";
import { exitStatus, ShutDown } from "./shut-down.js";
import { claimStdout } from "./stdout.js";
import type {
  Endpoint,
  Listen,
  MakeEndpoint,
  RunningHttp,
  RunningTransport,
  ServeStdio,
} from "./transport.js";

/** What a project adds to its tables. */
export interface ProjectHooks<Env, Services> {
  /** The project's folder. */
  readonly root: string;
  /** Makes `ctx.services`, before any transport starts. */
  createServices?(env: Env, controls: ServerControls): Services | Promise<Services>;
  /** Releases them, after every transport has ended. */
  closeServices?(services: Services): void | Promise<void>;
  /** `serveStdio` of `stdio.ts`, in a project that has this transport. */
  readonly serveStdio?: ServeStdio;
  /** In a project that has a transport behind a listener. */
  readonly network?: NetworkHooks;
}

/** What serves the transports behind listeners; only projects that have one have its code. */
export interface NetworkHooks {
  /** `listen` of `http-listener.ts`, or `listenWithTls` of `http-tls.ts`. */
  readonly listen: Listen;
  /** `httpEndpoint` of `http.ts`, or `httpEndpointWithSessions` of `http-sessions.ts`. */
  readonly http?: MakeEndpoint<HttpDefinition>;
}

/**
 * Runs the server of a project as a process: reads flags and environment, makes the services, starts
 * the transports, and ends the process when it is told to or nothing is left to serve.
 */
export async function start<Env, Services>(
  definition: ServerDefinition,
  hooks: ProjectHooks<Env, Services>,
): Promise<void> {
  let flags: StartFlags;
  try {
    flags = parseFlags(process.argv.slice(2));
    if (flags.dotenv !== undefined) loadDotenv(flags.dotenv);
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
  if (flags.help) return void process.stdout.write(`${definition.info.name}\n\n${usage}\n`);
  if (flags.version) return void process.stdout.write(`${definition.info.version}\n`);
  // A client that has stopped reading stderr must not end the server.
  process.stderr.on("error", () => undefined);
  const log = createLog({ level: logLevelFrom(process.env) });
  redirectConsole(log);
  try {
    await run(definition, hooks, flags, log);
  } catch (error) {
    log.error("the server could not start", { error: describeError(error) });
    process.exit(exitStatus.failure);
  }
}

/**
 * Variables that are set already win. The flag is not called `--env-file`, since Node takes that one
 * for itself wherever it stands.
 */
function loadDotenv(path: string): void {
  try {
    process.loadEnvFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

async function run<Env, Services>(
  definition: ServerDefinition,
  hooks: ProjectHooks<Env, Services>,
  flags: StartFlags,
  log: Logger,
): Promise<void> {
  const choice = chooseTransports(definition, flags);
  if (typeof choice === "string") return exitWithUsage(choice);
  const env = environmentFor(definition, flags, log);
  const requestStateKeys = requestStateKeysFor(definition, choice, log);
  if (env === undefined || requestStateKeys === null) process.exit(exitStatus.failure);
  // Before any code of the project runs, which might write to stdout.
  const output = choice.stdio ? claimStdout() : undefined;
  const live = new LiveState(definition);
  const services = await hooks.createServices?.(env as Env, live);
  const { root } = hooks;
  const server = createServer(definition, {
    ...{ env, services, root, mock: flags.mock, log, live, requestStateKeys },
    fastPath: process.env["MCP_FAST_PATH"] !== "off",
  });
  const shutDown = new ShutDown(server, () => hooks.closeServices?.(services as Services));
  shutDown.listen();
  const { http } = choice;
  if (http !== undefined) shutDown.add(await startListener(server, [http], hooks.network));
  if (output !== undefined) {
    if (hooks.serveStdio === undefined) throw new Error("the project does not supply serveStdio");
    shutDown.add(hooks.serveStdio(server, output, () => http ?? shutDown.run("stdin ended")));
    log.info("serving", { transport: "stdio" });
  }
}

function exitWithUsage(message: string): void {
  process.stderr.write(`${message}\n\n${usage}\n`);
  process.exit(exitStatus.usage);
}

interface TransportChoice {
  readonly stdio: boolean;
  readonly http?: HttpDefinition;
}

/** Which transports to start, or what is wrong with the wish. */
function chooseTransports(
  { transports }: ServerDefinition,
  flags: StartFlags,
): TransportChoice | string {
  const http = transports.find((transport) => transport.type === "http");
  const hasStdio = transports.some((transport) => transport.type === "stdio");
  if (flags.stdio && !hasStdio) return "This server has no stdio transport";
  if (flags.http && http === undefined) return "This server has no HTTP transport";
  const all = !flags.stdio && !flags.http;
  // Beside HTTP, stdio is left out at a terminal: whoever started it by hand is no client.
  const stdio = flags.stdio || (all && hasStdio && !(http !== undefined && process.stdin.isTTY));
  if (http === undefined || !(flags.http || all)) return { stdio };
  try {
    return { stdio, http: httpAddress(http, flags, process.env) };
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * The checked environment; undefined when it will not do. In mock mode placeholders stand in for what
 * is missing or wrong, so that services get values of the types that they were promised.
 */
function environmentFor(definition: ServerDefinition, flags: StartFlags, log: Logger): unknown {
  const reading = readEnvironment(definition.env, process.env);
  if (reading.ok) return reading.env;
  for (const problem of reading.problems) {
    if (flags.mock) log.warning(`${problem}; a placeholder stands in for it`);
    else log.error(problem);
  }
  return flags.mock ? withPlaceholders(definition.env, reading.env) : undefined;
}

/** Starts the transports of one address. */
/**
 * The keys of handlers that ask; undefined where one is made, null where they will not do. A process
 * on stdio has one client, and its questions end with it.
 */
function requestStateKeysFor(
  { createAsking }: ServerDefinition,
  { http }: TransportChoice,
  log: Logger,
): readonly string[] | undefined | null {
  if (createAsking === undefined) return undefined;
  const { keys, problem } = readRequestStateKeys(process.env);
  if (problem !== undefined) {
    log.error(problem);
    return null;
  }
  if (keys === undefined && http !== undefined) {
    log.warning(
      `${requestStateVariable} is not set: this process has made a key. Answers to its questions are lost when it ends, and no other node can take them`,
    );
  }
  return keys;
}

async function startListener(
  server: RunningServer,
  transports: readonly [NetworkDefinition, ...NetworkDefinition[]],
  network: NetworkHooks | undefined,
): Promise<RunningTransport> {
  const [first, ...others] = transports;
  const endpoints = [
    endpointFor(server, first, network),
    ...others.map((transport) => endpointFor(server, transport, network)),
  ] as const;
  let running: RunningHttp;
  try {
    running = await (network as NetworkHooks).listen(server, endpoints);
  } catch (error) {
    const problem = listenProblem(error, first);
    if (problem === undefined) throw error;
    server.log.error(problem);
    process.exit(exitStatus.failure);
  }
  for (const [transport, url] of running.urls) server.log.info("serving", { transport, url });
  return running;
}

function endpointFor(
  server: RunningServer,
  transport: NetworkDefinition,
  network: NetworkHooks | undefined,
): Endpoint {
  const make = network?.[transport.type];
  if (make === undefined) throw new Error(`the project does not supply ${transport.type}`);
  return make(server, transport);
}

/** What the user can do about an address that cannot be listened on; undefined for other errors. */
function listenProblem(error: unknown, { host, port }: NetworkDefinition): string | undefined {
  if (error instanceof SettingError) return error.message;
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return `port ${port} on ${host} is in use; choose another with --port`;
    case "EACCES":
      return `port ${port} on ${host} is not allowed to this user; choose another with --port`;
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
    case "ENOTFOUND":
      return `host ${host} is not known as an address of this machine; choose another with --host`;
    default:
      return undefined;
  }
}
