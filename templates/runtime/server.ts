import { McpServer } from "@modelcontextprotocol/server";
import type {
  McpRequestContext,
  Result,
  ServerContext,
  StandardSchemaV1,
} from "@modelcontextprotocol/server";
import type { Caller, Era, Logger, ProgressReport } from "./context.js";
import type { Engine } from "./engine.js";
import { HeaderParameters } from "./header-parameters.js";
import { printable } from "./printable.js";
import { refuseCursor, type RequestParameters } from "./request-parameters.js";

type Answer = (parameters: RequestParameters, caller: Caller) => Result | Promise<Result>;

/**
 * Makes the SDK's servers: one for each HTTP request or stdio connection. Each is a shell whose
 * handlers hand over to the engine, so nothing is registered, compiled or copied for it.
 */
export function createServerFactory(
  engine: Engine,
  log: Logger,
): (request: McpRequestContext) => McpServer {
  const { info, instructions, tools } = engine.definition;
  const options = {
    capabilities: engine.capabilities,
    ...(instructions === undefined ? {} : { instructions }),
  };
  const headerParameters = new HeaderParameters(tools);
  return ({ era, requestInfo }) => {
    const mcp = new McpServer(info, options);
    mcp.server.onerror = (error) =>
      log.warning("protocol error", { error: printable(error.message, 500) });
    headerParameters.register(mcp, requestInfo?.headers);
    installHandlers(mcp, engine, era);
    return mcp;
  };
}

function installHandlers(mcp: McpServer, engine: Engine, era: Era): void {
  const { capabilities, tools, resources, prompts, completion } = engine;
  const answer = (method: string, handle: Answer): void =>
    mcp.server.setRequestHandler(method, { params: anyParameters }, (parameters, ctx) =>
      handle(parameters, callerOf(ctx, era)),
    );
  const list = (method: string, page: Result): void =>
    answer(method, (parameters) => {
      refuseCursor(parameters);
      return page;
    });
  if (capabilities.tools) {
    list("tools/list", tools.list);
    answer("tools/call", async (parameters, caller) => {
      const result = await tools.call(parameters, caller);
      const { outputSchema } = tools.get(String(parameters["name"]))?.definition ?? {};
      return mcp.server.projectCallToolResult(result, outputSchema);
    });
  }
  if (capabilities.resources) {
    list("resources/list", resources.list);
    list("resources/templates/list", resources.templateList);
    answer("resources/read", (parameters, caller) => resources.read(parameters, caller));
  }
  if (capabilities.prompts) {
    list("prompts/list", prompts.list);
    answer("prompts/get", (parameters, caller) => prompts.get(parameters, caller));
  }
  if (capabilities.completions) {
    answer("completion/complete", (parameters) => completion.complete(parameters));
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

function callerOf({ mcpReq }: ServerContext, era: Era): Caller {
  const { progressToken } = mcpReq._meta ?? {};
  const caller = {
    requestId: mcpReq.id,
    era,
    signal: mcpReq.signal,
    sendLog: (...[level, data]: Parameters<Caller["sendLog"]>) => mcpReq.log(level, data),
  };
  if (progressToken === undefined) return caller;
  const sendProgress = (report: ProgressReport): Promise<void> =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...report } });
  return { ...caller, sendProgress };
}
