import type { Trail } from "../audit/trail.js";
import type { ServerDefinition } from "../engine/definition.js";
import { isPrinted, logLevelFrom, type Logger } from "../observe/log.js";
import { createServer, type RunningServer, type ServerOptions } from "../server/create-server.js";
import type { RestrictDefinition } from "../restrict/definition.js";
import type { Server } from "../server/define-server.js";
import type { Facility } from "../server/facility.js";
import { loadParts } from "../server/late-parts.js";
import { adviceOnExports } from "./context-exports.js";
import type { Environment } from "./env.js";
import type { ChosenTransports } from "./transport.js";
import type { TransportDefinition } from "../engine/definition.js";
import type { WorkerProcess } from "./worker-process.js";

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

/** How and where a server is going to serve. */
export interface MakeOptions {
  /** The types of the transports that are served. */
  readonly served: ReadonlySet<TransportDefinition["type"]>;
  /** What has to be known of the callers of these transports, and what they share with other processes. */
  readonly chosen: readonly Pick<ChosenTransports, "prepare" | "connect" | "serverOptions">[];
  /** The names of the exports of `src/context.ts` that the transports call. */
  readonly called: readonly string[];
  readonly environment: Environment;
  readonly log: Logger;
  readonly mock?: boolean;
  readonly worker?: WorkerProcess | undefined;
}

/** A server with its services. */
export interface MadeServer {
  readonly server: RunningServer;
  /** The values of the manifest's variables. */
  readonly env: object;
  readonly closeServices: () => void | Promise<void>;
}

/**
 * Makes the server of a project with its services, for whatever serves it.
 * @returns undefined if a variable is missing or wrong, which was logged
 * @throws SettingError if a setting is wrong
 */
export async function makeServer<Env, Services>(
  project: Server<Env, Services>,
  { served, chosen, called, environment, log, mock = false, worker }: MakeOptions,
): Promise<MadeServer | undefined> {
  const { root } = project;
  const [whole, context] = await Promise.all([loadParts(project.definition), project.context()]);
  const { checkEnvironment, createControls, openAudit, readSettings } = whole;
  const hasNetwork = [...served].some((type) => type !== "stdio" && type !== "custom");
  const env =
    checkEnvironment === undefined
      ? {}
      : checkEnvironment(whole, mock, log, environment, hasNetwork);
  const settings = readSettings === undefined ? {} : readSettings(served, log, environment);
  if (env === undefined || settings === undefined) return undefined;
  const definition = worker?.partOf(whole, env) ?? whole;
  for (const advice of adviceOnExports(context, ["createServices", "closeServices", ...called])) {
    log.warning(advice);
  }
  for (const group of chosen) group.prepare?.(context);
  const controls = createControls?.(definition);
  if (!mock) {
    for (const group of chosen) await group.connect?.(definition, { env, controls, log, worker });
  }
  const services = (await context.createServices?.(env as Env, controls as never)) as Services;
  const forCallers = chosen.map((group) =>
    group.serverOptions?.(context, env as Env, services, definition, { root, log }),
  );
  const server = createServer(definition, {
    ...{ env, services, controls, root, mock, log },
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
  return { server, env, closeServices: () => context.closeServices?.(services) };
}

/** A setting with its name, for messages. */
interface NamedSetting {
  readonly setting: string;
  readonly text: string;
}

/** What options and variables say about the part of the items that is served. All of it holds at once. */
export interface AskedRestriction {
  readonly groups: readonly NamedSetting[];
  readonly readOnly: readonly NamedSetting[];
}

/** The options of the command line that leave only a part of the items. */
export interface RestrictingFlags {
  readonly groups?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** What options and variables say about the part of the items that is served; undefined if they say nothing. */
export function askedRestriction(
  { groups, readOnly }: RestrictDefinition = {},
  flags: RestrictingFlags,
  environment: Environment,
): AskedRestriction | undefined {
  const { env: groupsVariable = "MCP_GROUPS" } = groups ?? {};
  const { env: readOnlyVariable = "MCP_READ_ONLY" } = readOnly ?? {};
  const ifSet = (setting: string, text: string | undefined): NamedSetting[] =>
    text === undefined ? [] : [{ setting, text }];
  const asked = {
    groups: [
      ...ifSet("--groups", flags.groups),
      ...ifSet(groupsVariable, environment[groupsVariable]),
    ],
    readOnly: [
      ...ifSet("--read-only", flags.readOnly === true ? "1" : undefined),
      ...ifSet(readOnlyVariable, environment[readOnlyVariable]),
    ],
  };
  return asked.groups.length + asked.readOnly.length === 0 ? undefined : asked;
}

/**
 * The server without the items that options or the environment have switched off.
 * @throws SettingError if a group is unknown, or a setting has no meaning
 */
export async function withoutSwitchedOff<Env, Services>(
  server: Server<Env, Services>,
  flags: RestrictingFlags,
  environment: Environment,
  log: Logger,
): Promise<Server<Env, Services>> {
  const { definition } = server;
  const asked = askedRestriction(definition.restrict, flags, environment);
  if (asked === undefined) return server;
  const { restricted } = await import("./restricted.js");
  return { ...server, definition: restricted(definition, asked, log) };
}
