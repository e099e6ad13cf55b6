import {
  CLIENT_CAPABILITIES_META_KEY,
  isInputRequiredResult,
  McpServer,
} from "@modelcontextprotocol/server";
import type {
  AuthInfo,
  ClientCapabilities,
  CallToolResult,
  RequestId,
  Result,
  ServerContext,
  ServerOptions,
  StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { describeRefusals } from "./described-errors.js";
import { CallProgress } from "./call-progress.js";
import { ClientLogLevel } from "./client-log-level.js";
import type { Caller, Era } from "../context/context.js";
import type { Logger } from "../observe/log.js";
import { answerForm } from "../http/accept.js";
import type { ServerRequest } from "./requests.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { ToolEntry } from "../tools/definition.js";
import type { Engine } from "../engine/engine.js";
import type { Method } from "../engine/feature.js";
import { after, recover } from "../engine/awaitable.js";
import { sdkProblem } from "../engine/errors.js";
import { publicError } from "../engine/protocol-errors.js";
import type { RequestParameters } from "../engine/request-parameters.js";

/**
 * Returns a function that makes an SDK server for one HTTP request or stdio connection. That is cheap: the
 * handlers only call the engine, so no item is registered, compiled or copied.
 */
export function createServerFactory(
  engine: Engine,
  log: Logger,
): (request: ServerRequest) => McpServer {
  const { info } = engine.definition;
  const options = serverOptions(engine);
  return (request) => {
    const { era, authInfo, address, memoryOf, handled } = request;
    const own = era === "legacy" ? engine.legacyCapabilities : engine.capabilities;
    const { capabilities = own } = request;
    const mcp = new McpServer(info, { ...options, capabilities });
    mcp.server.onerror = (error) => log.warning("protocol error", { error: sdkProblem(error) });
    describeRefusals(mcp);
    request.prepare?.(mcp);
    const progress = new CallProgress();
    if (era === "legacy") progress.endWaits(mcp);
    const logLevel = new ClientLogLevel();
    const client = { era, authInfo, address, memoryOf, logLevel, progress };
    installHandlers(mcp, engine, { client, log, outcomeOf: (id) => handled?.take(id) });
    return mcp;
  };
}

function serverOptions({ definition, methods }: Engine): ServerOptions {
  const { instructions, cache } = definition;
  const lists = [...methods.keys()].filter((method) => method.endsWith("/list"));
  const hints = ["server/discover", ...lists].map((method) => [method, cache]);
  return {
    ...(instructions === undefined ? {} : { instructions }),
    ...(cache === undefined ? {} : { cacheHints: Object.fromEntries(hints) as object }),
  };
}

/** The client of an SDK server. `authInfo` describes the caller of requests that have none of their own. */
interface Client {
  readonly era: Era;
  readonly authInfo: AuthInfo | undefined;
  readonly address: string | undefined;
  readonly memoryOf: ServerRequest["memoryOf"];
  readonly logLevel: ClientLogLevel;
  readonly progress: CallProgress;
}

interface HandlerOptions {
  readonly client: Client;
  readonly log: Logger;
  /** Returns the result of a request that was handled already; undefined for others. */
  outcomeOf(id: RequestId): Promise<Result> | undefined;
}

function installHandlers(
  mcp: McpServer,
  engine: Engine,
  { client, log, outcomeOf }: HandlerOptions,
): void {
  // The SDK would send the message of any error to the client.
  const answer = (method: string, handle: Answer): void =>
    mcp.server.setRequestHandler(method, { params: anyParameters }, (parameters, ctx) =>
      recover(
        () =>
          after(handle(parameters, callerOf(ctx, engine.definition, client, mcp)), (result) => {
            if (client.era === "legacy" && isInputRequiredResult(result)) client.progress.wait(ctx);
            return result;
          }),
        (error) => {
          throw publicError(error, log);
        },
      ),
    );
  // This replaces the SDK's own handler, which answers an unknown level with an internal error.
  if (client.era === "legacy") {
    answer("logging/setLevel", (parameters) => {
      client.logLevel.set(parameters);
      return {};
    });
  }
  for (const [name, method] of engine.methods) {
    const answerOnce: Answer = (parameters, caller) =>
      outcomeOf(caller.requestId) ?? method.answer(parameters, caller);
    answer(name, name === "tools/call" ? withProjectedResult(answerOnce, method, mcp) : answerOnce);
  }
}

type Answer = Method["answer"];

/** Wraps the method of tool calls: converts structured output to the form of the client's era. */
function withProjectedResult(call: Answer, { itemOf }: Method, mcp: McpServer): Answer {
  return async (parameters, caller) => {
    const result = await call(parameters, caller);
    if (isInputRequiredResult(result) || result.resultType === "task") return result;
    const tool = itemOf?.(parameters) as ToolEntry | undefined;
    return mcp.server.projectCallToolResult(
      result as CallToolResult,
      tool?.definition.outputSchema,
    );
  };
}

/** Accepts any parameters, since the engine validates them and makes the errors. */
export const anyParameters: StandardSchemaV1<unknown, RequestParameters> = {
  "~standard": {
    version: 1,
    vendor: "runtime",
    validate: (value) => ({ value: value as RequestParameters }),
  },
};

function callerOf(
  request: ServerContext,
  { senderOf, extendCaller }: ServerDefinition,
  { era, authInfo, address, memoryOf, logLevel, progress }: Client,
  mcp: McpServer,
): Caller {
  const { mcpReq, http } = request;
  const info = http?.authInfo ?? authInfo;
  return {
    requestId: mcpReq.id,
    era,
    address,
    progress: progress.of(request),
    memory: memoryOf?.({ id: mcpReq.id, signal: mcpReq.signal, request: http?.req }),
    signal: mcpReq.signal,
    sendLog: async (level, data) => {
      if (logLevel.includes(level)) await mcpReq.log(level, data);
    },
    // A client of an older era declares capabilities once, in the handshake.
    clientCapabilities: () => {
      if (era === "modern") return declaredIn(mcpReq.envelope);
      return takesQuestions(http?.req) ? mcp.server.getClientCapabilities() : undefined;
    },
    ...(info && senderOf?.(info)),
    ...extendCaller?.(request),
  };
}

/** Whether a client of the older eras can get questions with its answer: they need a stream. */
function takesQuestions(request: Request | undefined): boolean {
  return request === undefined || answerForm(request.headers.get("accept") ?? "") === "events";
}

function declaredIn(envelope: object | undefined): ClientCapabilities | undefined {
  const { [CLIENT_CAPABILITIES_META_KEY]: declared }: Readonly<Record<string, unknown>> = {
    ...envelope,
  };
  return declared as ClientCapabilities | undefined;
}
