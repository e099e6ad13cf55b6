import type { Writable } from "node:stream";
import type {
  Authenticate,
  Authenticator,
  ProtectedResource,
} from "../authentication/authentication.js";
import { parseFlags, usage, type StartFlags } from "./command-line.js";
import { misspeltExports } from "./context-exports.js";
import type { Logger } from "../context/context.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { ServerDefinition } from "../engine/definition.js";
import {
  readEnvironment,
  readRequestStateKeys,
  requestStateVariable,
  withPlaceholders,
} from "./env.js";
import { describeError } from "../engine/errors.js";
import { LiveState, type ServerControls } from "../context/live-state.js";
import { createLog, isPrinted, logLevelFrom, redirectConsole } from "../observe/log.js";
import { exitStatus, ShutDown } from "./shut-down.js";
import { startListener, type NetworkHooks } from "./start-listener.js";
import { claimStdout } from "./stdout.js";
import { chooseTransports, type TransportChoice } from "./transport-choice.js";
import type { Load, ServeCustom, ServeStdio } from "./transport.js";

/** What a project adds to its tables. */
export interface ProjectHooks<Env, Services> extends TransportHooks {
  /** The project's folder. */
  readonly root: string;
  /** The project's `src/context.ts`. */
  readonly context?: ProjectContext<Env, Services>;
}

/** What `src/context.ts` may export. */
export interface ProjectContext<Env, Services> {
  /** Makes `ctx.services`, before any transport starts. */
  createServices?(env: Env, controls: ServerControls): Services | Promise<Services>;
  /** Releases them, after every transport has ended. */
  closeServices?(services: Services): void | Promise<void>;
  /** Finds out who calls over the network; with it, whoever is not known is refused. */
  readonly authenticate?: Authenticate<Env, Services>;
  /** Tells clients where they get tokens. */
  protectedResource?(env: Env): ProtectedResource;
}

/** What serves the transports that the manifest declares; a project has the code of no other. */
export interface TransportHooks {
  /** `serveStdio` of `stdio.ts`. */
  readonly serveStdio?: Load<ServeStdio>;
  /** For transports behind a listener. */
  readonly network?: NetworkHooks;
  /** The project's own transport, as `serveCustom` of `custom-transport.ts` made it. */
  readonly custom?: ServeCustom;
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
    return exitWithUsage((error as Error).message, definition);
  }
  if (flags.help)
    return void process.stdout.write(
      `${definition.info.name}\n\n${usage(definition.transports)}\n`,
    );
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
  let choice: TransportChoice;
  try {
    const { transports } = definition;
    choice = chooseTransports(transports, flags, process.env, process.stdin.isTTY);
  } catch (error) {
    return exitWithUsage((error as Error).message, definition);
  }
  const env = environmentFor(definition, flags, log);
  const requestStateKeys = requestStateKeysFor(definition, choice, log);
  if (env === undefined || requestStateKeys === null) process.exit(exitStatus.failure);
  // Before any code of the project runs, which might write to stdout.
  const output = choice.stdio ? claimStdout() : undefined;
  const live = new LiveState(definition);
  const { root, context = {} } = hooks;
  if (leavesOpen(context, choice, log)) process.exit(exitStatus.failure);
  const services = await context.createServices?.(env as Env, live);
  const server = createServer(definition, {
    ...{ env, services, root, mock: flags.mock, log, live, requestStateKeys },
    authentication: authenticatorOf(context, env as Env, services as Services),
    fastPath: process.env["MCP_FAST_PATH"] !== "off",
    logRequests: isPrinted("info", logLevelFrom(process.env)),
  });
  warnOfScopes(server, choice, context.authenticate !== undefined);
  const shutDown = new ShutDown(server, () => context.closeServices?.(services as Services));
  shutDown.listen();
  await startTransports(server, env, { choice, hooks, shutDown, output });
}

/**
 * Says which exports nothing calls because of a slip of the pen.
 *
 * @returns whether that would leave the network open to everybody
 */
function leavesOpen(context: object, { listeners }: TransportChoice, log: Logger): boolean {
  let isOpen = false;
  for (const { found, meant } of misspeltExports(context)) {
    const problem = `src/context.ts exports ${found}, which nothing calls; did you mean ${meant}?`;
    const isGrave = meant === "authenticate" && listeners.length > 0;
    if (isGrave) log.error(problem);
    else log.warning(problem);
    isOpen ||= isGrave;
  }
  return isOpen;
}

/** Scopes bind nobody without `authenticate`: then nothing is served over the network. */
function warnOfScopes(
  { scopes, log }: RunningServer,
  { listeners }: TransportChoice,
  authenticates: boolean,
): void {
  if (authenticates || listeners.length === 0 || scopes.length === 0) return;
  log.error(
    "every request over the network is refused: the manifest names scopes, and src/context.ts exports no authenticate",
  );
}

function authenticatorOf<Env, Services>(
  { authenticate, protectedResource }: ProjectContext<Env, Services>,
  env: Env,
  services: Services,
): Authenticator | undefined {
  if (authenticate === undefined) return undefined;
  return {
    authenticate: (request) => authenticate(request, { env, services }),
    ...(protectedResource === undefined ? {} : { protectedResource: protectedResource(env) }),
  };
}

interface Start {
  readonly choice: TransportChoice;
  readonly hooks: TransportHooks;
  readonly shutDown: ShutDown;
  /** Where stdio writes; absent where it is not served. */
  readonly output: Writable | undefined;
}

async function startTransports(
  server: RunningServer,
  env: unknown,
  { choice, hooks, shutDown, output }: Start,
): Promise<void> {
  const { listeners, custom } = choice;
  for (const transports of listeners) {
    shutDown.add(await startListener(server, transports, supplied(hooks.network, "network")));
  }
  if (custom !== undefined) {
    shutDown.add(await supplied(hooks.custom, "custom")(server, env));
    server.log.info("serving", { transport: "custom", name: custom.name });
  }
  if (output === undefined) return;
  const isAlone = listeners.length === 0 && custom === undefined;
  const onEnd = (): void => {
    if (isAlone) shutDown.run("stdin ended");
  };
  const serveStdio = await supplied(hooks.serveStdio, "serveStdio")();
  shutDown.add(serveStdio(server, output, onEnd));
  server.log.info("serving", { transport: "stdio" });
}

/** A part that `src/main.ts` hands over where the manifest asks for it. */
function supplied<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`the project does not supply ${name}`);
  return part;
}

function exitWithUsage(message: string, { transports }: ServerDefinition): void {
  process.stderr.write(`${message}\n\n${usage(transports)}\n`);
  process.exit(exitStatus.usage);
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

/**
 * The keys of handlers that ask; undefined where one is made, null where they will not do. A process
 * on stdio has one client, and its questions end with it.
 */
function requestStateKeysFor(
  { createAsking }: ServerDefinition,
  { listeners }: TransportChoice,
  log: Logger,
): readonly string[] | undefined | null {
  if (createAsking === undefined) return undefined;
  const { keys, problem } = readRequestStateKeys(process.env);
  if (problem !== undefined) {
    log.error(problem);
    return null;
  }
  const hasHttp = listeners.flat().some(({ type }) => type === "http");
  if (keys === undefined && hasHttp) {
    log.warning(
      `${requestStateVariable} is not set: this process has made a key. Answers to its questions are lost when it ends, and no other node can take them`,
    );
  }
  return keys;
}
