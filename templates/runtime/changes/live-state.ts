import type { ServerCapabilities, Transport } from "@modelcontextprotocol/server";
import type { ServerDefinition } from "../engine/definition.js";
import type { ItemLists } from "../engine/item.js";
import type { Method } from "../engine/feature.js";
import type { FollowChanges, LiveState } from "../server/live-state.js";
import type { Runtime } from "../engine/runtime.js";
import type { FetchServer } from "../server/requests.js";
import { extendContexts } from "../context/context.js";
import { followerOf } from "./connection-events.js";
import { ServerEvents } from "./server-events.js";
import { Switches, type ItemSwitches } from "./switches.js";
import { watchedBy, watchedThrough } from "./watched-resources.js";

/** The recipient of a notification. */
export interface Recipient {
  readonly principal: string;
}

/** Notifies clients of changes that they have subscribed to. */
export interface Notifier {
  /**
   * Reports that the resource at this URI has changed. It must have `subscribe: true` in the manifest.
   * @param to The principal whose clients are notified, as in `ctx.auth.principal`. By default all clients
   * that watch the resource are notified.
   */
  resourceUpdated(uri: string, to?: Recipient): void;
  /** Reports that a template with `list: code` now lists other instances than before. */
  resourcesChanged(): void;
}

declare module "../server/create-server.js" {
  interface RunningServer {
    /** Switches items on and off, and notifies clients of changes. */
    readonly controls: ServerControls;
  }
}

/** The functions by which handlers and services change items, or report changes, while the server runs. */
export interface ServerControls {
  readonly tools: ItemSwitches;
  /** Resources and resource templates. */
  readonly resources: ItemSwitches;
  readonly prompts: ItemSwitches;
  readonly notify: Notifier;
}

/** Adds the controls to every handler's context. The project's types show only those that it can use. */
extendContexts((context, _caller, shared: Partial<Runtime & { live: LiveState }>) => {
  const { live } = shared;
  if (live === undefined) return;
  const { tools, resources, prompts, notify } = live;
  Object.assign(context, { tools, resources, prompts, notify });
});

/** The live state of a server, its events, and the controls by which handlers and services change it. */
export class LiveServerState implements ServerControls, LiveState {
  readonly events = new ServerEvents();
  readonly tools: Switches;
  readonly resources: Switches;
  readonly prompts: Switches;
  readonly notify: Notifier;
  readonly #definition: ServerDefinition;

  constructor(definition: ServerDefinition) {
    this.#definition = definition;
    const {
      tools = [],
      resources = [],
      resourceTemplates = [],
      prompts = [],
    } = definition as ItemLists;
    const { events } = this;
    const resourcesChanged = (): void => events.publish({ kind: "resources_list_changed" });
    // `deliver` reaches only this process: others that share the switches notify their own clients.
    this.tools = new Switches(tools, () => events.deliver({ kind: "tools_list_changed" }));
    this.resources = new Switches([...resources, ...resourceTemplates], () =>
      events.deliver({ kind: "resources_list_changed" }),
    );
    this.prompts = new Switches(prompts, () => events.deliver({ kind: "prompts_list_changed" }));
    this.notify = {
      resourceUpdated: (uri, to) =>
        events.publish({ kind: "resource_updated", uri }, to?.principal),
      resourcesChanged,
    };
  }

  quietCapabilities(capabilities: ServerCapabilities): ServerCapabilities {
    return withChangeFlagsOff(capabilities);
  }

  answering(fetch: FetchServer): FetchServer {
    return (request, exchange) => {
      const { authentication, parsedBody } = exchange;
      const isListening = request.headers.get("mcp-method") === "subscriptions/listen";
      if (!isListening) return fetch(request, exchange);
      const uris = watchedBy(parsedBody);
      const listening = { principal: authentication?.principal, watched: () => uris };
      return this.events.serve(listening, () => fetch(request, exchange));
    };
  }

  watchedThrough(transport: Transport, most: number): () => readonly string[] {
    return watchedThrough(transport, most);
  }

  follower(methods: ReadonlyMap<string, Method>, most: number): FollowChanges {
    return followerOf(this.#definition, methods, this.events, most);
  }
}

/** Makes the state that handlers and services may change while the server runs. */
export function createLiveState(definition: ServerDefinition): LiveServerState {
  return new LiveServerState(definition);
}

/** Returns the same capabilities with `listChanged` and `subscribe` set to false. */
function withChangeFlagsOff(capabilities: ServerCapabilities): ServerCapabilities {
  const changeFlags = new Set(["listChanged", "subscribe"]);
  const json = JSON.stringify(capabilities, (key, value: unknown) =>
    changeFlags.has(key) ? false : value,
  );
  const isQuiet = json === JSON.stringify(capabilities);
  return isQuiet ? capabilities : (JSON.parse(json) as ServerCapabilities);
}
