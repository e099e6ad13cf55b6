import type { McpServer } from "@modelcontextprotocol/server";
import { CallsInFlight } from "../engine/calls-in-flight.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createEngine, type Engine } from "../engine/engine.js";
import { describeError } from "../engine/describe-error.js";
import { importItems } from "../engine/import-items.js";
import { defaultLimits, type Limits } from "../engine/limits.js";
import type { LiveState } from "../engine/parts.js";
import { createLog, type Logger } from "../observe/log.js";
import { requestLog } from "../observe/request-log.js";
import { RequestObserver, type RequestFilter } from "../observe/request-observer.js";
import type { Facility } from "./facility.js";
import { withReplacedHandlers, type ReplaceHandler } from "./replaced-handlers.js";
import type { SdkServer } from "./sdk-server.js";
import type { FetchOptions, FetchServer, ServerRequest } from "./requests.js";

export interface ServerOptions {
  /** The values of the manifest's `env`, as `readEnvironment` made them. */
  readonly env?: unknown;
  /** What handlers get as `ctx.services`. */
  readonly services?: unknown;
  /** What changes while the server runs, where services were given it already. */
  readonly live?: LiveState | undefined;
  /** The project's folder, which `file` resources are relative to. */
  readonly root: string;
  /** Answers with mocks for tools that are not written yet. */
  readonly mock?: boolean;
  readonly log?: Logger;
  /** Whether a line is logged for each request, at `info`. */
  readonly logRequests?: boolean;
  /** Those of `REQUEST_STATE_KEY`; without them, what handlers asked is lost when the process ends. */
  readonly requestStateKeys?: readonly string[] | undefined;
  /** Facilities that the process has opened already. */
  readonly facilities?: readonly Facility[];
  /** Whether the usual requests are answered without the SDK; they are, unless this is false. */
  readonly fastPath?: boolean;
  /** Another handler for an item, for tests; undefined leaves the item's own. */
  readonly replaceHandler?: ReplaceHandler;
}

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Says which requests are refusals that the log has as one line with a count. */
    readonly countRefusals?: (log: Logger) => RequestFilter;
    /** Make the facilities of a server, before its engine is made. */
    readonly facilities?: readonly CreateFacility[];
  }
}

type CreateFacility = (
  definition: ServerDefinition,
  options: ServerOptions,
  limits: Limits,
) => Facility;

/** A server without a transport. */
export interface RunningServer {
  readonly definition: ServerDefinition;
  readonly log: Logger;
  /** Answers requests without the SDK; absent where everything goes through it. */
  readonly fastEngine?: Engine;
  /** Follows the requests; absent where nobody wants to know. */
  readonly observer?: RequestObserver;
  /** What changes while it runs; absent where nothing does. */
  readonly live?: LiveState;
  /** Makes the SDK's server for one connection. The SDK is loaded when it is first needed. */
  readonly factory: (request: ServerRequest) => Promise<McpServer>;
  /**
   * Imports in the background what would otherwise be imported at its first use. Items that cannot be
   * imported are then in the log and in `brokenItems` before a client uses them.
   */
  importItems(): Promise<void>;
  /** Items whose code or validators could not be imported. */
  readonly brokenItems: ReadonlySet<string>;
  /**
   * Checks the facilities. @returns a sentence for each thing that cannot be used now @throws SettingError
   * where a setting is wrong
   */
  check(): Promise<readonly string[]>;
  /** Answers one HTTP request of either era. */
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  /** Refuses new calls and waits for the running ones; after `graceMs` they are aborted. */
  drain(graceMs: number): Promise<void>;
  /** Ends open streams and whatever still runs, once: each listener does, and the process at its end. */
  close(): Promise<void>;
}

/** Makes a server from the generated tables. `start` puts it behind transports, and tests call it directly. */
export function createServer(definition: ServerDefinition, options: ServerOptions): RunningServer {
  const { env = {}, services, root, mock = false, log = createLog() } = options;
  const limits = { ...defaultLimits, ...definition.limits };
  const calls = new CallsInFlight(limits.concurrency);
  const { live = definition.createLiveState?.(definition) } = options;
  const { cache, pageSize } = definition;
  const facilities: readonly Facility[] = [
    ...(options.logRequests ? [{ observe: requestLog(log, definition.countRefusals?.(log)) }] : []),
    ...(definition.facilities ?? []).map((make) => make(definition, { ...options, live }, limits)),
    ...(options.facilities ?? []),
  ];
  const runtime = {
    ...{ env, services, root, mock, log, limits, calls, live, cache, pageSize },
    asking: definition.createAsking?.(definition, options.requestStateKeys),
    ...(Object.assign({}, ...facilities.map(({ resources }) => resources)) as object),
  };
  const engine = createEngine(
    withReplacedHandlers(definition, options.replaceHandler),
    runtime,
    facilities.map((facility) => (methods) => facility.wrapMethods?.(methods) ?? methods),
  );
  const observer = observerFor(facilities, engine);
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
  };
  const fetch = facilities.reduce<FetchServer>(
    (wrapped, facility) => facility.wrapFetch?.(wrapped) ?? wrapped,
    async (request, exchange) => (await sdk()).fetch(request, exchange),
  );
  const brokenItems = new Set<string>();
  const server = {
    definition,
    log,
    importItems: async () => {
      engine.prepare();
      await importItems(definition, (item, error) => {
        brokenItems.add(item);
        log.error("an item cannot be used", { item, error: describeError(error) });
      });
    },
    brokenItems,
    factory: async (request: ServerRequest) => (await sdk()).factory(request),
    ...(live === undefined ? {} : { controls: live as object, live }),
    ...(options.fastPath === false ? {} : { fastEngine: engine }),
    ...(observer === undefined ? {} : { observer }),
    ...(Object.assign(
      {},
      ...facilities.map((facility) => facility.join?.({ engine, calls, observer })),
    ) as object),
    check: async () => (await Promise.all(facilities.map((one) => one.check?.() ?? []))).flat(),
    fetch: (request: Request, exchange: FetchOptions = {}) => fetch(request, exchange),
    drain: (graceMs: number) => calls.stop(graceMs),
    close: () => (closing ??= close()),
  };
  // The type may have members of parts that this project does not have.
  return server as RunningServer;
}

/** Makes the observer of the facilities that listen to requests; undefined where none does. */
function observerFor(facilities: readonly Facility[], engine: Engine): RequestObserver | undefined {
  const listeners = facilities.flatMap(({ observe }) => observe ?? []);
  const refused = facilities.flatMap(({ observeRefusals }) => observeRefusals ?? []);
  if (listeners.length + refused.length === 0) return undefined;
  return new RequestObserver(engine, listeners, refused);
}
