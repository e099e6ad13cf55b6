import type { McpServer } from "@modelcontextprotocol/server";
import { CallsInFlight } from "../engine/calls-in-flight.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createEngine, type Engine } from "../engine/engine.js";
import { describeError } from "../engine/describe-error.js";
import { importItems } from "../engine/import-items.js";
import { limitsOf, type Limits } from "../engine/limits.js";
import { createLog, type Logger } from "../observe/log.js";
import { createRequestLog, RequestObserver } from "../observe/request-observer.js";
import { Refusals } from "../observe/refusals.js";
import { exceedLimit, type Runtime } from "../engine/runtime.js";
import type { Facility } from "./facility.js";
import type { SdkServer } from "./sdk-server.js";
import type { FetchOptions, FetchServer, ServerRequest } from "./requests.js";
import type { Authenticator } from "../authentication/authenticate.js";
import type { ServerAccess } from "../authentication/access.js";
import type { ServerControls } from "../changes/live-state.js";
import type { Metrics } from "../http/transport.js";
import type { StandIn } from "../programs/programs.js";
import type { Nonces } from "../consent/nonces.js";
import type { ConnectServer } from "../remote-servers/definition.js";
import type { AccountStore } from "../linked-accounts/store.js";
import type { TaskStore } from "../tasks/store.js";
import type { CallerAccounts } from "../upstreams/credentials.js";
import type { UpstreamTestOptions } from "../upstreams/definition.js";

/** What a server needs in addition to its definition. */
export interface ServerOptions {
  /** The values of the manifest's variables, checked and converted. */
  readonly env?: unknown;
  /** The value that handlers get as `ctx.services`. */
  readonly services?: unknown;
  /** The functions that change the running server, if the caller has made them already for the services. */
  readonly controls?: object | undefined;
  /** The project's folder. Paths are relative to it. */
  readonly root: string;
  /** Whether items that are not written yet answer with mocks. */
  readonly mock?: boolean;
  /** The log; by default, lines go to stderr. */
  readonly log?: Logger;
  /** Whether the server logs a line at `info` for each request. */
  readonly logRequests?: boolean;
  /** Facilities that the process has opened already. */
  readonly facilities?: readonly Facility[];
  /** Whether the engine answers the usual requests without the SDK. True by default. */
  readonly fastPath?: boolean;
  /** The keys of `REQUEST_STATE_KEY`. Without keys, handlers' open questions are lost at the process's end. */
  readonly requestStateKeys?: readonly string[] | undefined;
  /** Makes sure that a user's consent is used once. By default, this process remembers what it was used for. */
  readonly nonces?: Nonces | undefined;
  /** Identifies network callers. Without it, callers need no credentials unless an item needs scopes. */
  readonly authentication?: Authenticator | undefined;
  /** Keeps tasks. By default, this process keeps them in its memory. */
  readonly taskStore?: TaskStore | undefined;
  /** False answers calls that would become tasks as those of clients that do not know tasks. For tests. */
  readonly tasks?: boolean | undefined;
  /** Keeps the accounts that callers have linked. By default, this process keeps them in its memory. */
  readonly accountStore?: AccountStore | undefined;
  /** The accounts that callers have linked, where an upstream uses some. */
  readonly accounts?: CallerAccounts | undefined;
  /** For tests: the URL or file path to use instead, by the name of the database. */
  readonly databases?: Readonly<Record<string, string>> | undefined;
  /** For tests: the folder that replaces every directory. */
  readonly directories?: string | undefined;
  /** For tests: the program that runs instead of every program. */
  readonly programs?: StandIn | undefined;
  /** For tests: connects to the replacement of the MCP server with this name. */
  readonly servers?: ConnectServer | undefined;
  /** For tests. */
  readonly upstreams?: UpstreamTestOptions | undefined;
}

/** Makes a facility of a server. */
export type CreateFacility = (
  definition: ServerDefinition,
  options: ServerOptions,
  limits: Limits,
) => Facility;

/** A server without a transport. The facilities of a project declare further members. */
export interface RunningServer extends CoreServer {
  /** Decides which callers the network transports accept. */
  readonly access?: ServerAccess;
  /** Switches items on and off, and notifies clients of changes. */
  readonly controls: ServerControls;
  /** Its metrics; absent unless the manifest has a page for them. */
  readonly metrics?: Metrics;
  /** Whether something records the addresses of clients. */
  readonly recordsAddresses?: boolean;
}

/** The members that every server has. */
interface CoreServer {
  /** What the server offers and uses. */
  readonly definition: ServerDefinition;
  /** The project's folder. Paths are relative to it. */
  readonly root: string;
  /** The log of the server. */
  readonly log: Logger;
  /** The limits that hold: those that the manifest or its variables set, and the defaults. */
  readonly limits: Limits;
  /** Answers requests without the SDK. Absent if the SDK answers all requests. */
  readonly fastEngine?: Engine;
  /** Reports finished and refused requests to the facilities. Absent if no facility listens. */
  readonly observer?: RequestObserver;
  /** Reports requests that are refused before the engine or the SDK receives them. */
  readonly refusals: Refusals;
  /** The optional features of the server. */
  readonly facilities: readonly Facility[];
  /** Makes the SDK's server for one connection. The SDK is loaded when it is first needed. */
  readonly factory: (request: ServerRequest) => Promise<McpServer>;
  /**
   * Imports the code of all items in the background, before their first use. An item that cannot be
   * imported is logged and added to `brokenItems`, so that it is known before a client uses it.
   */
  importItems(): Promise<void>;
  /** Items whose code or validators could not be imported. */
  readonly brokenItems: ReadonlySet<string>;
  /**
   * Checks the facilities. @returns one sentence for each backend that cannot be used now
   * @throws SettingError if a setting is wrong
   */
  check(): Promise<readonly string[]>;
  /** Answers one HTTP request of either era. */
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  /** Refuses new calls and waits for the running calls. Aborts those that still run after `graceMs`. */
  drain(graceMs: number): Promise<void>;
  /** Aborts running calls and closes streams and facilities. Only the first of several calls has an effect. */
  close(): Promise<void>;
}

/** Makes a server from the generated tables. `start` puts it behind transports, and tests call it directly. */
export function createServer(definition: ServerDefinition, options: ServerOptions): RunningServer {
  const { env = {}, services, root, mock = false, log = createLog() } = options;
  const limits = limitsOf(definition, env);
  const calls = new CallsInFlight(limits.concurrency, (caller) =>
    exceedLimit({ refusals }, caller, "concurrency"),
  );
  const { controls = definition.createControls?.(definition) } = options;
  const facilities = makeFacilities(definition, { ...options, controls, log }, limits);
  const runtime: Runtime = {
    env,
    services,
    root,
    mock,
    log,
    limits,
    calls,
    refusals: { exceed: (...exceeded) => refusals.exceed(...exceeded) },
    pageSize: definition.pageSize,
    runner: definition.createHandlerRunner?.(definition, options),
    ...(Object.assign({}, ...facilities.map(({ shared }) => shared)) as object),
  };
  const engine = createEngine(
    definition,
    runtime,
    facilities.map((facility) => (methods) => facility.wrapMethods?.(methods) ?? methods),
  );
  const observer = observerFor(facilities, engine, log);
  const refusals = new Refusals(limits, log, observer);
  let loading: Promise<SdkServer> | undefined;
  const sdk = (): Promise<SdkServer> =>
    (loading ??= import("./sdk-server.js").then(({ createSdkServer }) =>
      createSdkServer(engine, { log, limits, facilities }),
    ));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await calls.stop(0);
    await (await loading)?.close();
    await Promise.all(facilities.map((facility) => facility.close?.()));
    refusals.flush();
  };
  const fetch = facilities.reduce<FetchServer>(
    (wrapped, facility) => facility.wrapFetch?.(wrapped) ?? wrapped,
    async (request, exchange) => (await sdk()).fetch(request, exchange),
  );
  const server: CoreServer = {
    definition,
    root,
    log,
    limits,
    refusals,
    facilities,
    ...itemImports(definition, engine, log),
    factory: async (request) => (await sdk()).factory(request),
    ...(options.fastPath === false ? {} : { fastEngine: engine }),
    ...(observer === undefined ? {} : { observer }),
    check: async () => (await Promise.all(facilities.map((one) => one.check?.() ?? []))).flat(),
    fetch: (request, exchange = {}) => fetch(request, exchange),
    drain: (graceMs) => calls.stop(graceMs),
    close: () => (closing ??= close()),
  };
  const joined = facilities.map((facility) =>
    facility.join?.({ engine, calls, observer, refusals }),
  );
  const running = Object.assign(server, ...joined) as RunningServer;
  const { metrics } = running;
  if (metrics !== undefined) for (const facility of facilities) facility.measure?.(metrics);
  return running;
}

function makeFacilities(
  definition: ServerDefinition,
  options: ServerOptions & { readonly log: Logger },
  limits: Limits,
): readonly Facility[] {
  const { log, logRequests, facilities = [] } = options;
  return [
    ...(logRequests ? [createRequestLog(log, definition.countRefusals?.(log))] : []),
    ...facilityMakers(definition).map((make) => make(definition, options, limits)),
    ...facilities,
    // The whole way of a call, with all that wraps it, runs for its task.
    ...(definition.createTasks === undefined || options.tasks === false
      ? []
      : [definition.createTasks(definition, options, limits)]),
  ];
}

function itemImports(
  definition: ServerDefinition,
  engine: Engine,
  log: Logger,
): Pick<RunningServer, "importItems" | "brokenItems"> {
  const brokenItems = new Set<string>();
  return {
    brokenItems,
    importItems: async () => {
      engine.prepare();
      await importItems(definition, (item, error) => {
        brokenItems.add(item);
        log.error("an item cannot be used", { item, error: describeError(error) });
      });
    },
  };
}

/** The functions that make the facilities of a server, in the order in which requests pass them. */
function facilityMakers(definition: ServerDefinition): readonly CreateFacility[] {
  const { createChanges, createRequestData, createBackends } = definition;
  const { createMetrics, createDeprecations, createAccess } = definition;
  const makers = [
    ...[createChanges, createRequestData, createBackends],
    ...[createMetrics, createDeprecations, createAccess],
  ];
  return makers.filter((make) => make !== undefined);
}

/** Makes the observer that reports requests to the facilities. Undefined if no facility listens. */
function observerFor(
  facilities: readonly Facility[],
  engine: Engine,
  log: Logger,
): RequestObserver | undefined {
  const listeners = facilities.flatMap(({ observe }) => observe ?? []);
  return listeners.length === 0 ? undefined : new RequestObserver(engine, listeners, log);
}
