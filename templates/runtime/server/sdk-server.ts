import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import type { Logger } from "../observe/log.js";
import type { Engine } from "../engine/engine.js";
import { sdkProblem } from "../engine/errors.js";
import type { Limits } from "../engine/limits.js";
import type { Facility } from "./facility.js";
import type { FetchServer, ServerRequest } from "./requests.js";
import { createServerFactory } from "./server.js";

/**
 * The part of a server that needs the SDK. It is made at its first use, since the SDK takes longer to load
 * than all other code and most requests are answered without it.
 */
export interface SdkServer {
  /** Makes the SDK's server for one connection. */
  readonly factory: (request: ServerRequest) => McpServer;
  readonly fetch: FetchServer;
  /** Ends open streams. */
  close(): Promise<void>;
}

interface SdkServerOptions {
  readonly log: Logger;
  readonly limits: Limits;
  readonly facilities: readonly Facility[];
}

/** Makes the SDK's HTTP handler and servers. They call the engine. */
export function createSdkServer(
  engine: Engine,
  { log, limits, facilities }: SdkServerOptions,
): SdkServer {
  const { definition } = engine;
  const makeServer = createServerFactory(engine, log);
  const factory = (request: ServerRequest): McpServer =>
    makeServer(
      facilities.reduce(
        (completed, facility) => facility.completeRequest?.(completed) ?? completed,
        request,
      ),
    );
  const bus = facilities.find(({ events }) => events !== undefined)?.events;
  const http = createMcpHandler(factory, {
    legacy: definition.protocol.legacy === "serve" ? "stateless" : "reject",
    maxRequestBodySize: limits.bodyBytes,
    ...(bus && { bus }),
    maxSubscriptions: limits.subscriptions,
    onerror: (error) => log.debug("request refused", { error: sdkProblem(error) }),
  });
  const fetch: FetchServer = async (request, exchange) => {
    const { parsedBody } = exchange;
    const authInfo = definition.authInfoOf?.(exchange);
    return http.fetch(request, {
      ...(parsedBody === undefined ? {} : { parsedBody }),
      ...(authInfo && { authInfo }),
    });
  };
  return { factory, fetch, close: () => http.close() };
}
