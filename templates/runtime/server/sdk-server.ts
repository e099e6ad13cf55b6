import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import type { Logger } from "../context/context.js";
import type { FetchOptions } from "./create-server.js";
import type { Engine } from "../engine/engine.js";
import { sdkProblem } from "../engine/errors.js";
import type { Limits } from "../engine/limits.js";
import type { RequestObserver } from "../observe/request-observer.js";
import { authInfoOf, createServerFactory, type ServerRequest } from "./server.js";

/**
 * What of a server needs the SDK, which takes longer to load than all the rest: most requests are
 * answered without it.
 */
export interface SdkServer {
  /** Makes the SDK's server for one connection. */
  readonly factory: (request: ServerRequest) => McpServer;
  /** Answers one HTTP request of either era. */
  fetch(request: Request, exchange: FetchOptions): Promise<Response>;
  /** Ends open streams. */
  close(): Promise<void>;
}

interface SdkServerOptions {
  readonly log: Logger;
  readonly limits: Limits;
  readonly observer: RequestObserver | undefined;
}

/** Puts the SDK in front of an engine. */
export function createSdkServer(
  engine: Engine,
  { log, limits, observer }: SdkServerOptions,
): SdkServer {
  const { definition, live } = engine;
  const factory = createServerFactory(engine, log, limits, observer);
  const http = createMcpHandler(factory, {
    legacy: definition.protocol.legacy === "serve" ? "stateless" : "reject",
    maxRequestBodySize: limits.bodyBytes,
    ...(live && { bus: live.events }),
    maxSubscriptions: limits.subscriptions,
    onerror: (error) => log.debug("request refused", { error: sdkProblem(error) }),
  });
  const fetch: SdkServer["fetch"] = async (request, exchange) => {
    const { parsedBody, authentication } = exchange;
    definition.httpExchanges?.add(request, exchange);
    return http.fetch(request, {
      ...(parsedBody === undefined ? {} : { parsedBody }),
      ...(authentication && { authInfo: authInfoOf(definition, authentication) }),
    });
  };
  return { factory, fetch: live?.answering(fetch) ?? fetch, close: () => http.close() };
}
