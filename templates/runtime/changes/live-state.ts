import type { ServerCapabilities } from "@modelcontextprotocol/server";
import type { ServerDefinition } from "../engine/definition.js";
import type { Engine } from "../engine/engine.js";
import type { ItemLists } from "../engine/definition.js";
import type { FollowChanges, LiveState } from "../engine/parts.js";
import type { Runtime } from "../engine/runtime.js";
import { extendContexts } from "../context/context.js";
import { followerOf } from "./connection-events.js";
import { ServerEvents } from "./server-events.js";
import { Switches, type ItemSwitches } from "./switches.js";

/** Tells the clients that asked for it what has changed. */
export interface Notifier {
  /** The resource at this URI has changed; for resources and templates with `subscribe: true`. */
  resourceUpdated(uri: string): void;
  /** The instances have changed that a template with `list: code` lists. */
  resourcesChanged(): void;
}

declare module "../server/create-server.js" {
  interface RunningServer {
    /** Switches items on and off, and tells clients of changes. */
    readonly controls: ServerControls;
  }
}

/** What handlers and services may change, or say has changed, while the server runs. */
export interface ServerControls {
  readonly tools: ItemSwitches;
  /** Resources and resource templates. */
  readonly resources: ItemSwitches;
  readonly prompts: ItemSwitches;
  readonly notify: Notifier;
}

/** Handlers get the controls as parts of their context; the project's types show those that do something. */
extendContexts((context, _caller, shared: Partial<Runtime>) => {
  const { live } = shared;
  if (live === undefined) return;
  const { tools, resources, prompts, notify } = live;
  Object.assign(context, { tools, resources, prompts, notify });
});

/** What changes while a server runs, and the events that tell of it. */
export class ServerState implements ServerControls, LiveState {
  readonly events = new ServerEvents();
  readonly tools: Switches;
  readonly resources: Switches;
  readonly prompts: Switches;
  readonly notify: Notifier;

  constructor(definition: ServerDefinition) {
    const {
      tools = [],
      resources = [],
      resourceTemplates = [],
      prompts = [],
    } = definition as ItemLists;
    const { events } = this;
    const resourcesChanged = (): void => events.publish({ kind: "resources_list_changed" });
    this.tools = new Switches(tools, () => events.publish({ kind: "tools_list_changed" }));
    this.resources = new Switches([...resources, ...resourceTemplates], resourcesChanged);
    this.prompts = new Switches(prompts, () => events.publish({ kind: "prompts_list_changed" }));
    this.notify = {
      resourceUpdated: (uri) => events.publish({ kind: "resource_updated", uri }),
      resourcesChanged,
    };
  }

  quietCapabilities(capabilities: ServerCapabilities): ServerCapabilities {
    return quiet(capabilities);
  }

  follower(engine: Engine, most: number): FollowChanges {
    return followerOf(engine, this.events, most);
  }
}

/** Keeps what handlers and services may change while the server runs. */
export function createLiveState(definition: ServerDefinition): ServerState {
  return new ServerState(definition);
}

/** Says of everything that clients may be told of that they are not. */
function quiet(capabilities: ServerCapabilities): ServerCapabilities {
  const told = new Set(["listChanged", "subscribe"]);
  const json = JSON.stringify(capabilities, (key, value: unknown) =>
    told.has(key) ? false : value,
  );
  const isQuiet = json === JSON.stringify(capabilities);
  return isQuiet ? capabilities : (JSON.parse(json) as ServerCapabilities);
}
