import type { ServerDefinition } from "../engine/definition.js";
import { ServerEvents } from "./server-events.js";
import { Switches, type ItemSwitches } from "./switches.js";

/** Tells the clients that asked for it what has changed. */
export interface Notifier {
  /** The resource at this URI has changed; for resources and templates with `subscribe: true`. */
  resourceUpdated(uri: string): void;
  /** The instances have changed that a template with `list: code` lists. */
  resourcesChanged(): void;
}

/** What handlers and services may change, or say has changed, while the server runs. */
export interface ServerControls {
  readonly tools: ItemSwitches;
  /** Resources and resource templates. */
  readonly resources: ItemSwitches;
  readonly prompts: ItemSwitches;
  readonly notify: Notifier;
}

/** What changes while a server runs, and the events that tell of it. */
export class LiveState implements ServerControls {
  readonly events = new ServerEvents();
  readonly tools: Switches;
  readonly resources: Switches;
  readonly prompts: Switches;
  readonly notify: Notifier;

  constructor({ tools, resources, resourceTemplates, prompts }: ServerDefinition) {
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
}
