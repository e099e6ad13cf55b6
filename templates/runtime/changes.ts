/** Items that are switched on and off, and resources that change, while the server runs. */
import { createChanges, createControls } from "./changes/changes.js";
import { quietCapabilities } from "./changes/quiet-capabilities.js";
import { createPagedList } from "./engine/paged-item-list.js";
import type { ServerPart } from "./server/server-part.js";

export type { Notifier, Recipient, ServerControls } from "./changes/live-state.js";
export type { ItemSwitches } from "./changes/switches.js";

/** Lets handlers and services switch items and tell clients of changes: `ctx.tools`, `ctx.resources`, `ctx.prompts`, `ctx.notify`. */
export function changes(): ServerPart {
  return ({ createPagedList: createList = createPagedList }) => ({
    ...{ createChanges, createControls, quietCapabilities },
    createPagedList: createList,
    serves: ["enabled", "subscribe", "watch"],
  });
}
