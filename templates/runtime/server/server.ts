import {
  CLIENT_CAPABILITIES_META_KEY,
  isInputRequiredResult,
  McpServer,
} from "@modelcontextprotocol/server";
import type {
  AuthInfo,
  ClientCapabilities,
  CallToolResult,
  McpRequestContext,
  RequestId,
  Result,
  ServerCapabilities,
  ServerContext,
  ServerOptions,
  StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { toAuthentication } from "../authentication/authentication.js";
import { ClientLogLevel } from "./client-log-level.js";
import { ConnectionEvents, type WatchedResources } from "./connection-events.js";
import type { Caller, Era, Logger, ProgressReport } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Engine } from "../engine/engine.js";
import { insufficientScope, sdkProblem } from "../engine/errors.js";
import { HeaderParameters } from "./header-parameters.js";
import type { Limits } from "../engine/limits.js";
import { observeTransport } from "../connections/observed-transport.js";
import type { Outcomes, RanRequests } from "../connections/handled-requests.js";
import type { RequestObserver } from "../observe/request-observer.js";
import { textParameter, type RequestParameters } from "../engine/request-parameters.js";

/** What a server is made for: one HTTP request, or a connection. */
export interface ServerRequest extends McpRequestContext {
  /** Of a connection: what came of requests whose handlers have run already. */
  readonly ran?: RanRequests;
}

/** Answers a request of one method. */
type Answer = (parameters: RequestParameters, caller: Caller) => Result | Promise<Result>;

/**
 * Makes the SDK's servers: one for each HTTP request or stdio connection. Each is a shell whose
 * handlers hand over to the engine, so nothing is registered, compiled or copied for it.
 */
export function createServerFactory(
  engine: Engine,
  log: Logger,
  limits: Limits,
  outcomes?: Outcomes,
  observer?: RequestObserver,
): (request: ServerRequest) => McpServer {
  const { info, tools } = engine.definition;
  const options = serverOptions(engine.definition);
  const headerParameters = new HeaderParameters(tools);
  const events = new ConnectionEvents(engine, limits.subscriptions);
  return ({ era, requestInfo, authInfo, ran }) => {
    // Only HTTP requests that stand alone come with their request.
    const lasts = requestInfo === undefined;
    const canListen = lasts || era === "modern";
    const capabilities = canListen ? engine.capabilities : engine.quietCapabilities;
    const mcp = new McpServer(info, { ...options, capabilities });
    mcp.server.onerror = (error) => log.warning("protocol error", { error: sdkProblem(error) });
    headerParameters.register(mcp, requestInfo?.headers);
    const outcome = outcomes?.get(requestInfo);
    const client = { era, authInfo, logLevel: new ClientLogLevel() };
    installHandlers(mcp, engine, client, (id) => outcome ?? ran?.take(id));
    if (observer !== undefined && requestInfo !== undefined) {
      observeExchange(mcp, observer, requestInfo, era);
    }
    if (lasts) followChanges(mcp, events.attach(mcp, era), capabilities);
    return mcp;
  };
}

function serverOptions({ instructions, cache }: ServerDefinition): ServerOptions {
  const cached = [
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
  ] as const;
  return {
    ...(instructions === undefined ? {} : { instructions }),
    ...(cache === undefined
      ? {}
      : { cacheHints: Object.fromEntries(cached.map((method) => [method, cache])) }),
  };
}

/**
 * Observes the requests of one HTTP exchange, which has a server and a transport of its own. Where a
 * client stays connected, whoever made its transport observes that.
 */
function observeExchange(
  { server }: McpServer,
  observer: RequestObserver,
  request: Request,
  era: Era,
): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const since = observer.claim(request);
    observeTransport(transport, observer, { transport: "http", era, since: () => since });
  };
}

/** `resources/subscribe` and its counterpart, which only the older eras have. */
function followChanges(
  { server }: McpServer,
  watched: WatchedResources,
  { resources }: ServerCapabilities,
): void {
  if (resources?.subscribe !== true) return;
  server.setRequestHandler("resources/subscribe", { params: anyParameters }, (parameters) => {
    watched.add(textParameter(parameters, "uri"));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", { params: anyParameters }, (parameters) => {
    watched.delete(textParameter(parameters, "uri"));
    return {};
  });
}

/** What is known of whoever a server is made for. `authInfo` says who calls where requests do not say it. */
interface Client {
  readonly era: Era;
  readonly authInfo: AuthInfo | undefined;
  readonly logLevel: ClientLogLevel;
}

/** @param outcomeOf What came of a request, where its handler has run already. */
function installHandlers(
  mcp: McpServer,
  engine: Engine,
  client: Client,
  outcomeOf: (id: RequestId) => Promise<Result> | undefined,
): void {
  const { capabilities, tools, resources, prompts, completion } = engine;
  const answer = (method: string, handle: Answer): void =>
    mcp.server.setRequestHandler(method, { params: anyParameters }, (parameters, ctx) => {
      const caller = callerOf(ctx, client, mcp);
      const scopes = engine.scopes?.unmet(method, parameters, caller.authentication);
      if (scopes !== undefined) throw insufficientScope(scopes);
      return handle(parameters, caller);
    });
  const once =
    (handle: Answer): Answer =>
    (parameters, caller) =>
      outcomeOf(caller.requestId) ?? handle(parameters, caller);
  // The SDK's own answers a level that is none with an internal error.
  if (client.era === "legacy" && capabilities.logging) {
    answer("logging/setLevel", (parameters) => (client.logLevel.set(parameters), {}));
  }
  if (capabilities.tools) {
    answer("tools/list", (parameters) => tools.list(parameters));
    const call = once((parameters, caller) => tools.call(parameters, caller));
    answer("tools/call", async (parameters, caller) => {
      const result = await call(parameters, caller);
      if (isInputRequiredResult(result)) return result;
      const { outputSchema } = tools.get(String(parameters["name"]))?.definition ?? {};
      return mcp.server.projectCallToolResult(result as CallToolResult, outputSchema);
    });
  }
  if (resources) {
    const list = once((parameters, caller) => resources.list(parameters, caller));
    const read = once((parameters, caller) => resources.read(parameters, caller));
    answer("resources/list", list);
    answer("resources/templates/list", (parameters) => resources.listTemplates(parameters));
    answer("resources/read", read);
  }
  if (prompts) {
    answer("prompts/list", (parameters) => prompts.list(parameters));
    const get = once((parameters, caller) => prompts.get(parameters, caller));
    answer("prompts/get", get);
  }
  if (completion) {
    const complete = once((parameters, caller) => completion.complete(parameters, caller));
    answer("completion/complete", complete);
  }
}

/** Leaves the parameters as they are: the engine checks what it reads, with errors of its own. */
const anyParameters: StandardSchemaV1<unknown, RequestParameters> = {
  "~standard": {
    version: 1,
    vendor: "runtime",
    validate: (value) => ({ value: value as RequestParameters }),
  },
};

function callerOf(
  { mcpReq, http }: ServerContext,
  { era, authInfo, logLevel }: Client,
  mcp: McpServer,
): Caller {
  const known = http?.authInfo ?? authInfo;
  const { progressToken } = mcpReq._meta ?? {};
  const { inputResponses } = mcpReq;
  const requestState = mcpReq.requestState();
  const caller: Caller = {
    requestId: mcpReq.id,
    era,
    signal: mcpReq.signal,
    sendLog: async (level, data) => {
      if (logLevel.includes(level)) await mcpReq.log(level, data);
    },
    // On the older eras a client says it once, in the handshake; where there was none, it cannot be asked.
    clientCapabilities: () =>
      era === "modern" ? declaredIn(mcpReq.envelope) : mcp.server.getClientCapabilities(),
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
    ...(known === undefined ? {} : { authentication: toAuthentication(known) }),
  };
  if (progressToken === undefined) return caller;
  const sendProgress = (report: ProgressReport): Promise<void> =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...report } });
  return { ...caller, sendProgress };
}

function declaredIn(envelope: object | undefined): ClientCapabilities | undefined {
  const { [CLIENT_CAPABILITIES_META_KEY]: declared }: Readonly<Record<string, unknown>> = {
    ...envelope,
  };
  return declared as ClientCapabilities | undefined;
}
