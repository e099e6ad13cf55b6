import { resolve } from "node:path";
import { describeError } from "../engine/describe-error.js";
import { createLog, logLevelFrom, redirectConsole, type Logger } from "../observe/log.js";
import { itemsOf } from "../engine/item.js";
import type { StatedDefinition } from "../server/server-part.js";
import type { Server } from "../server/define-server.js";
import {
  parseFlags,
  usage,
  type StartFlags,
  type TransportType,
  type ValueOption,
  chooseTransports,
  askedWorkers,
  groupsOption,
  workersOption,
} from "./command-line.js";
import { makeServer, withoutSwitchedOff } from "./make-server.js";
import { exitStatus, ShutDown } from "./shut-down.js";
import type { WorkerProcess } from "./worker-process.js";
import type {
  ChosenTransports,
  RunningTransport,
  ServedTransport,
  TransportGroup,
} from "./transport.js";

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
  const shown = [
    ...options,
    ...(canDivide ? [workersOption] : []),
    ...(hasGroups(definition) ? [groupsOption] : []),
  ];
  const usageText = usage(definition.transports, shown);
  let choice: StartChoice;
  try {
    choice = await readChoice(server, groups, [...options, workersOption, groupsOption]);
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
    const { values, readOnly } = choice.flags;
    const flags = { readOnly, groups: values[groupsOption.name] };
    const served = await withoutSwitchedOff(server, flags, environment, log);
    if (choice.workers === 1) await run(served, groups, choice, log);
    else await runDivided(served, groups, choice, log);
  } catch (error) {
    const isSettingError = error instanceof Error && error.name === "SettingError";
    const description = isSettingError ? error.message : describeError(error);
    log.error("the server could not start", { error: description });
    process.exit(exitStatus.failure);
  }
}

function hasGroups(definition: StatedDefinition): boolean {
  return itemsOf(definition).some(({ groups }) => groups !== undefined);
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
  const environment = worker?.environment ?? project.environment ?? process.env;
  const running = await makeServer(project, {
    ...{ served, chosen, environment, log, worker },
    mock: flags.mock,
    called: transports.flatMap(({ contextExports = [] }) => contextExports),
  });
  if (running === undefined) process.exit(exitStatus.failure);
  const { server, env, closeServices } = running;
  const shutDown = new ShutDown(server, closeServices);
  shutDown.listen(worker !== undefined);
  const add = (transport: RunningTransport): void => shutDown.add(transport);
  const stop = (reason: string): void => shutDown.run(reason);
  for (const group of chosen) await group.start(server, { env, add, stop });
  worker?.serve(server, shutDown);
  void server.importItems();
}
