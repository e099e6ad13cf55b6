import type { McpServer } from "@modelcontextprotocol/server";
import { CallsInFlight } from "../engine/calls-in-flight.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createEngine, type Engine } from "../engine/engine.js";
import { describeError } from "../engine/describe-error.js";
import { importItems } from "../engine/import-items.js";
import { defaultLimits, type Limits } from "../engine/limits.js";
import type { LiveState, Methods } from "../engine/parts.js";
import { createLog, type Logger } from "../observe/log.js";
import { requestLog } from "../observe/request-log.js";
import {
  RequestObserver,
  type RequestFilter,
  type RequestListener,
} from "../observe/request-observer.js";
import { withReplacedHandlers, type ReplaceHandler } from "./replaced-handlers.js";
import type { SdkServer } from "./sdk-server.js";
import type { FetchOptions, ServerRequest } from "./requests.js";

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
  readonly audit?: Audit | undefined;
  /** Whether the usual requests are answered without the SDK; they are, unless this is false. */
  readonly fastPath?: boolean;
  /** Another handler for an item, for tests; undefined leaves the item's own. */
  readonly replaceHandler?: ReplaceHandler;
}

declare module "../engine/definition.js" {
  interface RuntimeParts {
    /** Looks after who may call over the network. */
    readonly createAccess?: (engine: Engine, options: ServerOptions) => ServerAccess;
    /** Keeps the figures for the page of metrics. */
    readonly createMetrics?: () => Metrics;
    /** Says which requests are refusals that the log has as one line with a count. */
    readonly countRefusals?: (log: Logger) => RequestFilter;
    /** Makes what handlers ask: other services, databases. */
    readonly createBackends?: (
      definition: ServerDefinition,
      options: ServerOptions,
      limits: Limits,
    ) => Backends;
  }
}

/** The figures of a server; `observe/metrics.ts` and its like have the other members. */
export interface Metrics {
  /** Counts a request that is over. */
  readonly observe: RequestListener;
  /** Shows what is under way. */
  watch(calls: CallsInFlight, observer: RequestObserver): void;
}

/** Who may call over the network; `authentication/` has its members. */
export interface ServerAccess {
  /** Why an HTTP request goes no further; undefined where it may. */
  refusal(exchange: FetchOptions): Response | undefined;
}

/** Writes down who called what; `audit/` does it. */
export interface Audit {
  /** The same methods, whose calls are written down. */
  watch(methods: Methods): Methods;
  readonly refused: RequestListener;
  close(): Promise<void>;
}

/** What handlers ask; `backends/` has its other members. */
export interface Backends {
  /** Says which cannot be asked for now, a sentence each. @throws SettingError where a setting will not do */
  check(): Promise<readonly string[]>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** A server without a transport. */
export interface RunningServer {
  readonly definition: ServerDefinition;
  readonly log: Logger;
  /** Who may call over the network; absent in a project without listeners. */
  readonly access?: ServerAccess;
  /** Answers requests without the SDK; absent where everything goes through it. */
  readonly fastEngine?: Engine;
  /** Follows the requests; absent where nobody wants to know. */
  readonly observer?: RequestObserver;
  /** Its figures, where the manifest asks for a page of them. */
  readonly metrics?: Metrics;
  readonly backends?: Backends;
  /** What changes while it runs; absent where nothing does. */
  readonly live?: LiveState;
  /** Makes the SDK's server for one connection. The SDK is loaded when it is first needed. */
  readonly factory: (request: ServerRequest) => Promise<McpServer>;
  /**
   * Makes and imports what is needed at the first use, in the background of requests: then what cannot be
   * imported is in the log, and in `brokenItems`, before somebody asks for it.
   */
  importItems(): Promise<void>;
  /** Items whose code or validators could not be imported. */
  readonly brokenItems: ReadonlySet<string>;
  /** Answers one HTTP request of either era. */
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  /** Refuses new calls and waits for the running ones; after `graceMs` they are aborted. */
  drain(graceMs: number): Promise<void>;
  /** Ends open streams and whatever still runs, once: each listener does, and the process at its end. */
  close(): Promise<void>;
}

/** Makes a server from the generated tables: what `start` puts behind transports, and tests call directly. */
export function createServer(definition: ServerDefinition, options: ServerOptions): RunningServer {
  const { env = {}, services, root, mock = false, log = createLog(), audit } = options;
  const limits = { ...defaultLimits, ...definition.limits };
  const calls = new CallsInFlight(limits.concurrency);
  const { live = definition.createLiveState?.(definition) } = options;
  const { cache, pageSize } = definition;
  const backends = definition.createBackends?.(definition, { ...options, live }, limits);
  const runtime = {
    ...{ env, services, root, mock, log, limits, calls },
    ...{ live, cache, pageSize, backends, audit },
    asking: definition.createAsking?.(options.requestStateKeys, definition.exactNumbers),
  };
  const engine = createEngine(withReplacedHandlers(definition, options.replaceHandler), runtime);
  const metrics = definition.createMetrics?.();
  const listeners = [
    ...(options.logRequests ? [requestLog(log, definition.countRefusals?.(log))] : []),
    ...(metrics === undefined ? [] : [metrics.observe.bind(metrics)]),
  ];
  const isObserved = listeners.length > 0 || audit !== undefined;
  const observer = isObserved ? new RequestObserver(engine, listeners, audit?.refused) : undefined;
  if (observer !== undefined) metrics?.watch(calls, observer);
  let loading: Promise<SdkServer> | undefined;
  const sdk = (): Promise<SdkServer> =>
    (loading ??= import("./sdk-server.js").then(({ createSdkServer }) =>
      createSdkServer(engine, { log, limits, observer }),
    ));
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await calls.stop(0);
    await (await loading)?.close();
    await Promise.all([backends?.close(), audit?.close()]);
  };
  const access = definition.createAccess?.(engine, options);
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
    ...(backends === undefined ? {} : { backends }),
    ...(access === undefined ? {} : { access }),
    ...(options.fastPath === false ? {} : { fastEngine: engine }),
    ...(observer === undefined ? {} : { observer }),
    ...(metrics === undefined ? {} : { metrics }),
    fetch: async (request: Request, exchange: FetchOptions = {}) =>
      access?.refusal(exchange) ?? (await sdk()).fetch(request, exchange),
    drain: (graceMs: number) => calls.stop(graceMs),
    close: () => (closing ??= close()),
  };
  // Parts of the runtime that this project does not have would add members.
  return server as RunningServer;
}
