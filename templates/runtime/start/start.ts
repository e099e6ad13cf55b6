import type { Writable } from "node:stream";
import type { ServerDefinition } from "../engine/definition.js";
import { describeError } from "../engine/describe-error.js";
import {
  createLog,
  isPrinted,
  logLevelFrom,
  redirectConsole,
  type Logger,
} from "../observe/log.js";
import { createServer, type RunningServer, type ServerOptions } from "../server/create-server.js";
import type { Facility } from "../server/facility.js";
import { parseFlags, usage, type StartFlags, type TransportType } from "./command-line.js";
import { adviceOnExports } from "./context-exports.js";
import type { ProjectContext } from "./project-context.js";
import { exitStatus, ShutDown } from "./shut-down.js";
import { claimStdout } from "./stdout.js";
import { chooseTransports } from "./transport-choice.js";
import type {
  Load,
  NetworkStart,
  NetworkTransports,
  RunningTransport,
  ServeCustom,
  ServeStdio,
} from "./transport.js";

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Checks the environment of the process. @returns the values for handlers; undefined if a variable is wrong */
    readonly checkEnvironment?: (
      definition: ServerDefinition,
      isMock: boolean,
      log: Logger,
    ) => object | undefined;
    /** Reads options of the server from the environment. Undefined if one is wrong, which is logged. */
    readonly readSettings?: (hasHttp: boolean, log: Logger) => Partial<ServerOptions> | undefined;
    /**
     * Functions that open the facilities of a process. A server in a test does not have them.
     * @throws SettingError if a facility cannot be opened
     */
    readonly openFacilities?: readonly OpenFacility[];
  }
}

/** Opens a facility of the process. @param env The values of the manifest's variables */
type OpenFacility = (definition: ServerDefinition, env: object, log: Logger) => Facility;

/** The code of a project that the runtime calls, beside the handlers of the definition. */
export interface ProjectHooks<Env, Services> extends TransportHooks {
  /** The project's folder. */
  readonly root: string;
  /** The project's `src/context.ts`. */
  readonly context?: ProjectContext<Env, Services>;
}

/** The code that serves the transports of the manifest. */
export interface TransportHooks {
  /** `serveStdio` of `stdio.ts`. */
  readonly serveStdio?: Load<ServeStdio>;
  /** For the transports that listen on the network. */
  readonly network?: NetworkTransports;
  /** The project's own transport, as `serveCustom` of `custom-transport.ts` made it. */
  readonly custom?: ServeCustom;
}

/**
 * Runs the server of a project as a process: reads flags and environment, makes the services and starts
 * the transports. The process ends after a signal, or when its only transport is stdio and stdin ends.
 */
export async function start<Env, Services>(
  definition: ServerDefinition,
  hooks: ProjectHooks<Env, Services>,
): Promise<void> {
  const usageText = usage(definition.transports, hooks.network?.options);
  let choice: StartChoice;
  try {
    choice = readChoice(definition, hooks);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usageText}\n`);
    process.exit(exitStatus.usage);
  }
  const { help, version } = choice.flags;
  if (help) return void process.stdout.write(`${definition.info.name}\n\n${usageText}\n`);
  if (version) return void process.stdout.write(`${definition.info.version}\n`);
  // A client that has stopped reading stderr must not end the server.
  process.stderr.on("error", () => undefined);
  const log = createLog({ level: logLevelFrom(process.env) });
  // Again, since the file of `--dotenv` may set the level.
  redirectConsole(log);
  try {
    await run(definition, hooks, choice, log);
  } catch (error) {
    const isSettingError = error instanceof Error && error.name === "SettingError";
    const description = isSettingError ? error.message : describeError(error);
    log.error("the server could not start", { error: description });
    process.exit(exitStatus.failure);
  }
}

/** The options of the command line, and the transports that follow from them. */
interface StartChoice {
  readonly flags: StartFlags;
  readonly chosen: ReadonlySet<TransportType>;
  /** Undefined if no transport listens on the network. */
  readonly network: NetworkStart | undefined;
}

/** @throws Error with a message for the user if an option is wrong or names no transport of the server */
function readChoice({ transports }: ServerDefinition, { network }: TransportHooks): StartChoice {
  const flags = parseFlags(process.argv.slice(2), network?.options);
  if (flags.dotenv !== undefined) loadDotenv(flags.dotenv);
  const chosen = chooseTransports(transports, flags, process.stdin.isTTY);
  return { flags, chosen, network: network?.choose(transports, chosen, flags) };
}

/**
 * Loads variables that are not set yet. The flag is not called `--env-file`, since Node itself reads a flag
 * of that name, wherever it stands in the command.
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
  choice: StartChoice,
  log: Logger,
): Promise<void> {
  const { root, context = {} } = hooks;
  const { flags, chosen, network } = choice;
  const { checkEnvironment, createControls, readSettings } = definition;
  const env = checkEnvironment === undefined ? {} : checkEnvironment(definition, flags.mock, log);
  const settings = readSettings === undefined ? {} : readSettings(chosen.has("http"), log);
  if (env === undefined || settings === undefined) process.exit(exitStatus.failure);
  // This must come before any code of the project runs, since that code might write to stdout.
  const output = chosen.has("stdio") ? claimStdout() : undefined;
  const called = ["createServices", "closeServices", ...(hooks.network?.contextExports ?? [])];
  for (const advice of adviceOnExports(context, called)) log.warning(advice);
  network?.checkContext(context);
  const controls = createControls?.(definition);
  if (!flags.mock) await network?.join(definition, { env, controls, log });
  const services = await context.createServices?.(env as Env, controls as never);
  const server = createServer(definition, {
    ...{ env, services, controls, root, mock: flags.mock, log },
    ...settings,
    ...network?.serverOptions(context, env as Env, services as Services, definition, { root, log }),
    facilities: (definition.openFacilities ?? []).map((open) => open(definition, env, log)),
    fastPath: process.env["MCP_FAST_PATH"] !== "off",
    logRequests: isPrinted("info", logLevelFrom(process.env)),
  });
  for (const problem of await server.check()) log.warning(problem);
  const shutDown = new ShutDown(server, () => context.closeServices?.(services as Services));
  shutDown.listen();
  await startTransports(server, env, hooks, choice, { shutDown, output });
  void server.importItems();
}

/** @param output The stream that the stdio transport writes to. Undefined if stdio is not served. */
async function startTransports(
  server: RunningServer,
  env: unknown,
  hooks: TransportHooks,
  { chosen, network }: StartChoice,
  { shutDown, output }: { readonly shutDown: ShutDown; readonly output: Writable | undefined },
): Promise<void> {
  const add = (transport: RunningTransport): void => shutDown.add(transport);
  await network?.start(server, add);
  if (chosen.has("custom")) add(await requirePart(hooks.custom, "custom")(server, env));
  if (output === undefined) return;
  const onEnd = (): void => {
    if (chosen.size === 1) shutDown.run("stdin ended");
  };
  const serveStdio = await requirePart(hooks.serveStdio, "serveStdio")();
  add(serveStdio(server, output, onEnd));
  server.log.info("serving", { transport: "stdio" });
}

/** Returns the hook that `src/main.ts` must pass for a transport. Throws if it is missing. */
function requirePart<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`the project does not supply ${name}`);
  return part;
}
