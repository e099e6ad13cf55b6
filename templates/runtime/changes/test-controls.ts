import type { Recipient, ServerControls } from "./live-state.js";
import type { ItemSwitches } from "./switches.js";

/** An item that a handler has switched on or off. */
export interface SwitchedItem {
  /** The kind of item. */
  readonly kind: "tool" | "resource" | "prompt";
  /** Its name. */
  readonly name: string;
  /** Whether it was switched on. */
  readonly enabled: boolean;
}

/** A call of a member of `ctx.notify`. */
export type NotifiedChange =
  | { readonly change: "resourceUpdated"; readonly uri: string; readonly principal?: string }
  | { readonly change: "resourcesChanged" };

/** What a handler's test sees of the changes that the handler makes. */
export interface RecordedControls extends ServerControls {
  /** The items that the handler has switched, in order. */
  readonly switched: readonly SwitchedItem[];
  /** The calls of members of `notify`, in order. */
  readonly notified: readonly NotifiedChange[];
  /** The URIs that `notify.resourceUpdated` was called with. */
  readonly updated: readonly string[];
  /** The principal of each of these reports; undefined for a report to all clients. */
  readonly recipients: readonly (string | undefined)[];
}

/** Controls that only record switches and notifications. Every item starts switched on. */
export function recordingControls(): RecordedControls {
  const switched: SwitchedItem[] = [];
  const notified: NotifiedChange[] = [];
  const updated: string[] = [];
  const recipients: (string | undefined)[] = [];
  const switches = (kind: SwitchedItem["kind"]): ItemSwitches => {
    const isMine = (name: string) => (item: SwitchedItem) =>
      item.kind === kind && item.name === name;
    return {
      enable: (name) => void switched.push({ kind, name, enabled: true }),
      disable: (name) => void switched.push({ kind, name, enabled: false }),
      isEnabled: (name) => switched.findLast(isMine(name))?.enabled ?? true,
    };
  };
  const notify = {
    resourceUpdated: (uri: string, to?: Recipient) => {
      updated.push(uri);
      recipients.push(to?.principal);
      const principal = to?.principal;
      notified.push({
        change: "resourceUpdated",
        uri,
        ...(principal !== undefined && { principal }),
      });
    },
    resourcesChanged: () => void notified.push({ change: "resourcesChanged" }),
  };
  return {
    tools: switches("tool"),
    resources: switches("resource"),
    prompts: switches("prompt"),
    notify,
    switched,
    notified,
    updated,
    recipients,
  };
}
