import type { Cluster } from "node:cluster";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { Trail } from "../audit/trail.js";
import type { Nonces } from "../consent/nonces.js";
import { describeError } from "../engine/describe-error.js";
import type { ServerDefinition } from "../engine/definition.js";
import { limitsOf, type Limits } from "../engine/limits.js";
import { SettingError } from "../engine/errors.js";
import { listenProblem } from "../http/addresses.js";
import type { Logger } from "../observe/log.js";
import { writeNow } from "../observe/stderr-lines.js";
import type { Server } from "../server/define-server.js";
import { loadParts } from "../server/late-parts.js";
import { exitStatus } from "../start/shut-down.js";
import { hasSessions } from "../start/worker-count.js";
import { drainMs, noticeMs, servicesMs, writeMs, type ListenAddress } from "../start/transport.js";
import { checkDivided } from "./divided-limits.js";
import { SharedState } from "./shared-state.js";
import { listenSticky } from "./sticky-listener.js";
import { Supervisor } from "./supervisor.js";

/** The longest time that all workers may take to stop, in milliseconds: somewhat longer than one may take. */
const stopMs = noticeMs + drainMs + servicesMs + 3 * writeMs + 2_000;

/** How a server is divided among workers. */
export interface Division {
  readonly count: number;
  /** Where all workers listen. */
  readonly address: ListenAddress;
  readonly log: Logger;
  /** The variable by which a worker knows that this process is its primary one. */
  readonly marker: string;
}

/** What the primary process itself needs of the server. */
type ServerOfPrimary = Pick<Server, "definition" | "environment" | "root">;

/**
 * Runs this process as the primary one: it starts the workers, which serve, and has what they share.
 * @throws SettingError if a setting is wrong
 */
export async function runPrimary(
  cluster: Cluster,
  server: ServerOfPrimary,
  { count, address, log, marker }: Division,
): Promise<void> {
  const { limits, trail, requestStateKey, nonces, keepsOwn } = await settingsOf(server, log);
  const isSticky = hasSessions(server.definition.transports);
  checkDivided(limits, count, isSticky);
  if (keepsOwn !== undefined) {
    throw new SettingError(
      `${keepsOwn} are kept in the memory of one process: start it without workers, or share them through Redis with \`scale\``,
    );
  }
  // No connection is heard before this function waits again, when there is a supervisor.
  const port = isSticky ? await acceptFor(() => supervisor, address, count) : await portOf(address);
  cluster.setupPrimary({
    // A worker serves what this process was asked to serve; options that come later have priority.
    args: [...process.argv.slice(2), "--http", "--port", String(port)],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  const shared = new SharedState({
    ...{ count, isSticky, trail, requestStateKey, nonces, ratePerSecond: limits.ratePerSecond },
    send: (worker, message) => supervisor.send(worker, message),
  });
  const supervisor = new Supervisor({
    ...{ count, log, write: writeNow },
    fork: () => cluster.fork({ [marker]: String(process.pid) }),
    received: (worker, message) => shared.receive(worker, message),
    left: (worker) => shared.left(worker),
  });
  stopWith(supervisor, shared, trail, log);
  const failed = await supervisor.start();
  if (failed !== undefined) process.exit(failed.status);
  log.info("all workers serve", { workers: count });
}

/** What the primary process decides for all workers. */
interface SharedSettings {
  readonly limits: Limits;
  readonly trail: Trail | undefined;
  readonly requestStateKey: string | undefined;
  readonly nonces: Nonces | undefined;
  /** What each worker would have that the others do not know; undefined if nothing. */
  readonly keepsOwn: string | undefined;
}

/** Reads the environment. If a variable is wrong, which is logged, the process ends. */
async function settingsOf(server: ServerOfPrimary, log: Logger): Promise<SharedSettings> {
  const { root, environment = process.env } = server;
  const definition = await loadParts(server.definition);
  const { checkEnvironment, openTrail, readSettings } = definition;
  const env =
    checkEnvironment === undefined
      ? {}
      : checkEnvironment(definition, false, log, environment, true);
  const settings =
    readSettings === undefined ? {} : readSettings(new Set(["http"]), log, environment);
  if (env === undefined || settings === undefined) process.exit(exitStatus.failure);
  const needsKey = readSettings !== undefined && settings.requestStateKeys === undefined;
  const { usesNonces = false } = definition;
  const { scale } = definition;
  const isShared = scale !== undefined && Object.hasOwn(env, scale.redis.env);
  return {
    keepsOwn: isShared ? undefined : keptInMemory(definition),
    nonces: usesNonces ? new (await import("../consent/nonces.js")).MemoryNonces() : undefined,
    limits: limitsOf(definition, env),
    trail: openTrail?.(definition, env, root),
    requestStateKey: needsKey ? randomBytes(32).toString("hex") : undefined,
  };
}

function keptInMemory({ tools, keepsAccounts }: ServerDefinition): string | undefined {
  if (tools.some(({ task }) => task !== undefined)) return "tasks";
  return keepsAccounts === true ? "accounts of callers" : undefined;
}

/**
 * Accepts the connections of workers that have sessions: a session belongs to one process.
 * @param supervisor Hands them over, once there are workers.
 * @returns the port
 * @throws SettingError if the address cannot be listened on
 */
async function acceptFor(
  supervisor: () => Supervisor,
  address: ListenAddress,
  count: number,
): Promise<number> {
  try {
    return await listenSticky(address, count, (worker, socket) =>
      supervisor().hand(worker, socket),
    );
  } catch (error) {
    const problem = listenProblem(error, address);
    throw problem === undefined ? error : new SettingError(problem);
  }
}

/** The port of all workers. One that is free now is fixed: workers that start later need the same one. */
async function portOf({ host, port: wanted }: ListenAddress): Promise<number> {
  if (wanted !== 0) return wanted;
  const listener = createServer().listen(0, host);
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}

/** Stops all workers on a signal, or after an uncaught exception; a second signal ends everything at once. */
function stopWith(
  supervisor: Supervisor,
  shared: SharedState,
  trail: Trail | undefined,
  log: Logger,
): void {
  let isStopping = false;
  const stop = async (reason: string, status: number): Promise<void> => {
    isStopping = true;
    log.info("stopping", { reason });
    const { isBalanced } = shared;
    const isClean = await supervisor.stop({ kind: "stop", reason, isBalanced }, stopMs);
    await trail?.close().catch((error: unknown) => {
      log.error("could not stop cleanly", { error: describeError(error) });
    });
    process.exit(isClean ? status : exitStatus.failure);
  };
  const onSignal = (signal: NodeJS.Signals, status: number): void => {
    if (!isStopping) return void stop(signal, exitStatus.success);
    supervisor.kill();
    process.exit(status);
  };
  process.on("SIGINT", () => onSignal("SIGINT", exitStatus.interrupted));
  process.on("SIGTERM", () => onSignal("SIGTERM", exitStatus.terminated));
  process.on("unhandledRejection", (reason) => {
    log.error("unhandled rejection", { error: describeError(reason) });
  });
  process.on("uncaughtException", (error) => {
    log.error("uncaught exception", { error: describeError(error) });
    if (!isStopping) void stop("uncaught exception", exitStatus.failure);
  });
}
