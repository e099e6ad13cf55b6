/** Calls that run as tasks, which clients start, follow and cancel (SEP-2663): `task` of a tool. */
import type { LateServerPart } from "./server/server-part.js";

export type { TaskSettings } from "./tasks/definition.js";

/** Runs the calls of tools with `task` as tasks, for clients that know the extension. Others get the plain call. */
export function tasks(): LateServerPart {
  return {
    settings: { serves: ["task"] },
    // Operators may have left out all tools with `task`.
    load: ({ tools }) =>
      tools.some(({ task }) => task !== undefined)
        ? import("./tasks/create-tasks.js").then(({ createTasks }) => ({ createTasks }))
        : undefined,
  };
}
