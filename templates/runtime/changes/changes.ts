import type { McpServer } from "@modelcontextprotocol/server";
import { extendContexts, type Caller } from "../context/context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Engine } from "../engine/engine.js";
import type { Limits } from "../engine/limits.js";
import type { Runtime } from "../engine/runtime.js";
import type { ServerOptions } from "../server/create-server.js";
import type { Facility } from "../server/facility.js";
import type { FetchServer, ServerRequest } from "../server/requests.js";
import { clientNotifier } from "./connection-events.js";
import { LiveState } from "./live-state.js";
import type { Listening, ServerEvents } from "./server-events.js";
import { hiddenFrom, watchedBy, watchedThrough } from "./listen-requests.js";

/** Adds the controls to every handler's context. The project's types show only those that it can use. */
extendContexts((context, _caller, shared: Partial<Runtime>) => {
  const { itemStates } = shared;
  if (itemStates === undefined) return;
  const { tools, resources, prompts, notify } = itemStates as LiveState;
  Object.assign(context, { tools, resources, prompts, notify });
});

/** Makes the state that handlers and services may change while the server runs. */
export function createControls(definition: ServerDefinition): LiveState {
  return new LiveState(definition);
}

/** Makes the facility that notifies the clients of a server of changes. */
export function createChanges(
  _definition: ServerDefinition,
  { controls }: Pick<ServerOptions, "controls">,
  { subscriptions }: Limits,
): Facility {
  // `createControls` has made them.
  const state = controls as LiveState;
  const { events } = state;
  let engine: Engine | undefined;
  let notifyClient: ((mcp: McpServer, request: ServerRequest) => void) | undefined;
  return {
    events,
    shared: { itemStates: state },
    join: (server) => {
      engine = server.engine;
      notifyClient = clientNotifier(engine, events, subscriptions, server.refusals);
      return { controls: state };
    },
    wrapFetch: (fetch) => servedTo(events, fetch, (caller) => engine && hiddenFrom(engine, caller)),
    attachTransport: (transport) => ({ watched: watchedThrough(transport, subscriptions) }),
    completeRequest: (request) => {
      // The SDK sets `requestInfo` only if the server is made for a single HTTP request.
      if (request.requestInfo !== undefined) return request;
      const prepare = (mcp: McpServer): void => {
        request.prepare?.(mcp);
        notifyClient?.(mcp, request);
      };
      return { ...request, prepare };
    },
  };
}

/** Wraps `fetch` so that subscriptions that the SDK makes for a request belong to its caller. */
function servedTo(
  events: ServerEvents,
  fetch: FetchServer,
  hidden: (caller: Partial<Caller>) => Partial<Listening> | undefined,
): FetchServer {
  return (request, exchange) => {
    const { authentication, parsedBody } = exchange;
    const isListening = request.headers.get("mcp-method") === "subscriptions/listen";
    if (!isListening) return fetch(request, exchange);
    const uris = watchedBy(parsedBody);
    const principal = authentication?.principal;
    const listening = { principal, watched: () => uris, ...hidden({ authentication }) };
    return events.serve(listening, () => fetch(request, exchange));
  };
}
