import type { ServerDefinition } from "../engine/definition.js";
import type { ItemLists } from "../engine/item.js";
import type { ItemStatesByKind } from "../engine/item-states.js";
import { ServerEvents } from "./server-events.js";
import { Switches, type ItemSwitches } from "./switches.js";

/** The recipient of a notification. */
export interface Recipient {
  /** Whom the caller acts for, as in `ctx.auth.principal`. */
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

/** The functions by which handlers and services change items, or report changes, while the server runs. */
export interface ServerControls {
  /** Switches tools. */
  readonly tools: ItemSwitches;
  /** Switches resources and resource templates. */
  readonly resources: ItemSwitches;
  /** Switches prompts. */
  readonly prompts: ItemSwitches;
  /** Tells clients of changes of resources. */
  readonly notify: Notifier;
}

/** The live state of a server, its events, and the controls by which handlers and services change it. */
export class LiveState implements ServerControls, ItemStatesByKind {
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
    const { whole } = definition;
    const { events } = this;
    const resourcesChanged = (): void => events.publish({ kind: "resources_list_changed" });
    // `deliver` reaches only this process: others that share the switches notify their own clients.
    this.tools = new Switches(tools, whole?.tools, () =>
      events.deliver({ kind: "tools_list_changed" }),
    );
    const allResources = whole && [...(whole.resources ?? []), ...(whole.resourceTemplates ?? [])];
    this.resources = new Switches([...resources, ...resourceTemplates], allResources, () =>
      events.deliver({ kind: "resources_list_changed" }),
    );
    this.prompts = new Switches(prompts, whole?.prompts, () =>
      events.deliver({ kind: "prompts_list_changed" }),
    );
    this.notify = {
      resourceUpdated: (uri, to) =>
        events.publish({ kind: "resource_updated", uri }, to?.principal),
      resourcesChanged,
    };
  }
}
