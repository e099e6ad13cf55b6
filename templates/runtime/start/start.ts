import { resolve } from "node:path";
import type { Trail } from "../audit/trail.js";
import type { ServerDefinition } from "../engine/definition.js";
import { describeError } from "../engine/describe-error.js";
import {
  createLog,
  isPrinted,
  logLevelFrom,
  redirectConsole,
  type Logger,
} from "../observe/log.js";
import { createServer, type ServerOptions } from "../server/create-server.js";
import type { Server } from "../server/define-server.js";
import type { Facility } from "../server/facility.js";
import { loadParts } from "../server/late-parts.js";
import {
  parseFlags,
  usage,
  type StartFlags,
  type TransportType,
  type ValueOption,
  chooseTransports,
  askedWorkers,
  workersOption,
} from "./command-line.js";
import { adviceOnExports } from "./context-exports.js";
import { exitStatus, ShutDown } from "./shut-down.js";
import type { WorkerProcess } from "./worker-process.js";
import type {
  ChosenTransports,
  RunningTransport,
  ServedTransport,
  TransportGroup,
} from "./transport.js";
/** Opens a facility of the process. @param env The values of the manifest's variables */
export type OpenFacility = (
  definition: ServerDefinition,
  env: object,
  project: {
    readonly root: string;
    readonly log: Logger;
    /** Where the audit trail is written, if that is open already. */
    readonly trail?: Trail | undefined;
  },
) => Facility;

/**
 * Runs the server of a project as a process: reads flags and environment, makes the services and starts
 * the transports. The promise is fulfilled when all of them serve. The process ends after a signal, or when its only
 * transport is stdio and stdin ends, once running calls have finished. It ends with status 1 if the server cannot start, and
 * with 2 for wrong flags, each with a message on stderr.
 */
export async function start<Env, Services>(server: Server<Env, Services>): Promise<void> {
  const { definition, environment = process.env } = server;
  const groups = groupsOf(server);
  const options = groups.flatMap(({ options = [] }) => options);
  const canDivide = definition.transports.some(({ type }) => type === "http");
  const usageText = usage(definition.transports, canDivide ? [...options, workersOption] : options);
  let choice: StartChoice;
  try {
    choice = await readChoice(server, groups, [...options, workersOption]);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usageText}\n`);
    process.exit(exitStatus.usage);
  }
  const { help, version } = choice.flags;
  if (help) return void process.stdout.write(`${definition.info.name}\n\n${usageText}\n`);
  if (version) return void process.stdout.write(`${definition.info.version}\n`);
  // A client that has stopped reading stderr must not end the server.
  process.stderr.on("error", () => undefined);
  const log = createLog({ level: logLevelFrom(environment) });
  // The console was redirected when the process started. The file of `--dotenv` may have set another level since.
  redirectConsole(log);
  try {
    if (choice.workers === 1) await run(server, groups, choice, log);
    else await runDivided(server, groups, choice, log);
  } catch (error) {
    const isSettingError = error instanceof Error && error.name === "SettingError";
    const description = isSettingError ? error.message : describeError(error);
    log.error("the server could not start", { error: description });
    process.exit(exitStatus.failure);
  }
}

/** The groups of the transports. stdio comes last, so that no client is served before all others listen. */
function groupsOf<Env, Services>({
  definition,
  transports,
}: Server<Env, Services>): readonly TransportGroup[] {
  const isStdio = (transport: ServedTransport): boolean => transport.definition.type === "stdio";
  const ordered = [
    ...transports.filter((transport) => !isStdio(transport)),
    ...transports.filter(isStdio),
  ];
  return [...new Set(ordered.map(({ group }) => group))].map((group) =>
    group(
      transports.filter((transport) => transport.group === group),
      definition,
    ),
  );
}

/** The options of the command line, and the transports that follow from them. */
interface StartChoice {
  readonly flags: StartFlags;
  readonly served: ReadonlySet<TransportType>;
  /** The number of processes that serve together. */
  readonly workers: number;
  /** What starts the transports that are served. */
  readonly chosen: readonly ChosenTransports[];
}

/** @throws Error with a message for the user if an option is wrong or names no transport of the server */
async function readChoice(
  {
    definition: { transports: declared },
    environment,
    root,
  }: Pick<Server, "definition" | "environment" | "root">,
  groups: readonly TransportGroup[],
  options: readonly ValueOption[],
): Promise<StartChoice> {
  const flags = parseFlags(process.argv.slice(2), options);
  if (flags.dotenv !== undefined) loadDotenv(resolve(root, flags.dotenv));
  const served = chooseTransports(declared, flags, process.stdin.isTTY);
  const chosen = groups.flatMap(
    (group) => group.choose(declared, served, flags, environment) ?? [],
  );
  const asked = askedWorkers(flags, served, environment ?? process.env);
  const workers =
    asked === undefined
      ? 1
      : (await import("./worker-count.js")).workerCount(asked, flags, declared, served);
  return { flags, served, workers, chosen };
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

/** Serves with several processes. This one is the primary process, which starts the others, or one of these. */
async function runDivided<Env, Services>(
  server: Server<Env, Services>,
  groups: readonly TransportGroup[],
  choice: StartChoice,
  log: Logger,
): Promise<void> {
  const divided = choice.chosen.find(({ divide }) => divide !== undefined);
  const worker = await divided?.divide?.(server, choice.workers, log);
  if (worker === undefined) return;
  redirectConsole(worker.log);
  await run(server, groups, choice, worker.log, worker);
}

/** @param worker What this process has and does beside others that serve the same. */
async function run<Env, Services>(
  project: Server<Env, Services>,
  transports: readonly TransportGroup[],
  { flags, served, chosen }: StartChoice,
  log: Logger,
  worker?: WorkerProcess,
): Promise<void> {
  const { root } = project;
  const environment = worker?.environment ?? project.environment ?? process.env;
  const [whole, context] = await Promise.all([loadParts(project.definition), project.context()]);
  const { checkEnvironment, createControls, openAudit, readSettings } = whole;
  const hasNetwork = [...served].some((type) => type !== "stdio" && type !== "custom");
  const env =
    checkEnvironment === undefined
      ? {}
      : checkEnvironment(whole, flags.mock, log, environment, hasNetwork);
  const settings = readSettings === undefined ? {} : readSettings(served, log, environment);
  if (env === undefined || settings === undefined) process.exit(exitStatus.failure);
  const definition = worker?.partOf(whole, env) ?? whole;
  const called = transports.flatMap(({ contextExports = [] }) => contextExports);
  for (const advice of adviceOnExports(context, ["createServices", "closeServices", ...called])) {
    log.warning(advice);
  }
  for (const group of chosen) group.prepare?.(context);
  const controls = createControls?.(definition);
  if (!flags.mock) {
    for (const group of chosen) await group.connect?.(definition, { env, controls, log, worker });
  }
  const services = (await context.createServices?.(env as Env, controls as never)) as Services;
  const forCallers = chosen.map((group) =>
    group.serverOptions?.(context, env as Env, services, definition, { root, log }),
  );
  const server = createServer(definition, {
    ...{ env, services, controls, root, mock: flags.mock, log },
    ...settings,
    ...(Object.assign({}, ...forCallers) as Partial<ServerOptions>),
    facilities:
      openAudit === undefined
        ? []
        : [openAudit(definition, env, { root, log, trail: worker?.trail })],
    fastPath: environment["MCP_FAST_PATH"] !== "off",
    logRequests: isPrinted("info", logLevelFrom(environment)),
  });
  for (const problem of await server.check()) log.warning(problem);
  const shutDown = new ShutDown(server, () => context.closeServices?.(services));
  shutDown.listen(worker !== undefined);
  const add = (transport: RunningTransport): void => shutDown.add(transport);
  const stop = (reason: string): void => shutDown.run(reason);
  for (const group of chosen) await group.start(server, { env, add, stop });
  worker?.serve(server, shutDown);
  void server.importItems();
}
