import { onceForEach } from "./once-for-each.js";
import type { ItemModel, ServerModel } from "./server-model.js";

/** All items of a server, in the order of its lists. */
export const itemsOf = onceForEach((model: ServerModel): readonly ItemModel[] => [
  ...model.tools,
  ...model.resources,
  ...model.resourceTemplates,
  ...model.prompts,
]);
