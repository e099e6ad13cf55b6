import type { ServerDefinition } from "../engine/definition.js";
import type { Item } from "../engine/item.js";

/** For each setting of items that has no effect without a part: the entry of the part, and its name if that differs. */
const PARTS = {
  asks: ["asking"],
  confirm: ["consent"],
  enabled: ["changes"],
  search: ["search", "toolSearch"],
  subscribe: ["changes"],
  task: ["tasks"],
  watch: ["changes"],
} as const;

/** A setting of items that only a server with a certain part can have. */
export type ServedSetting = keyof typeof PARTS;

/** For each list of items: what they are called, and the part that answers for them with the function that brings it. */
const LISTS = {
  tools: ["tool"],
  resources: ["resource", "createResources", "defineResource"],
  resourceTemplates: ["resource template", "createResources", "defineResourceTemplate"],
  prompts: ["prompt", "createPrompts", "definePrompt"],
} as const;

/**
 * Makes sure that each item has the parts that serve it and its settings. Otherwise a tool with `confirm` would run unasked, and
 * one with `task` as a plain call. Items that operators have left out count, too.
 *
 * @throws TypeError if a part is absent, with the item, the setting and the part
 */
export function checkNeededParts(definition: ServerDefinition): void {
  const { serves = [], whole } = definition;
  const absent = (Object.keys(PARTS) as ServedSetting[]).filter((name) => !serves.includes(name));
  for (const [list, [kind, answering, define]] of Object.entries(LISTS)) {
    const items = (whole ?? definition)[list as keyof typeof LISTS] as readonly Item[] | undefined;
    for (const item of items ?? []) {
      const isAnswered = answering === undefined || definition[answering] !== undefined;
      if (!isAnswered && item.lateParts === undefined) {
        throw new TypeError(`The ${kind} ${item.definition.name} must be made by ${define}.`);
      }
      const setting = absent.find((name) => isSet(item, name));
      if (setting === undefined) continue;
      const [entry, part = entry] = PARTS[setting];
      throw new TypeError(
        `The ${kind} ${item.definition.name} has "${setting}", so that "use" of defineServer must have ${part}() of @mcpwright/runtime/${entry}.`,
      );
    }
  }
}

/** False also for `subscribe: false`, which is the default. `enabled: false` is set: the item can be switched on. */
function isSet(item: Item, setting: ServedSetting): boolean {
  const value = (item as Partial<Record<ServedSetting, unknown>>)[setting];
  return value !== undefined && (value !== false || setting === "enabled");
}

/** @throws TypeError if a part stands after others that build on it, whose work it would undo */
export function mustStandBefore(part: string, others: string, isAfter: boolean): void {
  if (isAfter) {
    throw new TypeError(`In "use" of defineServer, ${part} must stand before ${others}.`);
  }
}
