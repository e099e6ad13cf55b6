import { SettingError } from "../engine/errors.js";
import type { Item, ItemLists } from "../engine/item.js";
import { printable } from "../engine/printable.js";
import type { Logger } from "../observe/log.js";
import { isInGroups, onlyReads } from "../restrict/item-groups.js";
import type { StatedDefinition } from "../server/server-part.js";
import type { AskedRestriction } from "./make-server.js";

/** The lists of items, with the words for them in the log. */
const LISTS = ["tools", "resources", "resourceTemplates", "prompts"] as const;

/**
 * Returns a server without the items that are switched off by groups, or by `read only`. What is off does not exist for
 * clients; `whole` has all items, for what must know that.
 *
 * @throws SettingError if a group is unknown, or a setting has no meaning
 */
export function restricted(
  definition: StatedDefinition,
  { groups, readOnly }: AskedRestriction,
  log: Logger,
): StatedDefinition {
  const { tools, resources, resourceTemplates, prompts } = definition;
  const whole: ItemLists = { tools, resources, resourceTemplates, prompts };
  const declaredGroups = new Set(itemsIn(whole).flatMap(({ groups: own = [] }) => own));
  const chosen = groups.map(({ setting, text }) => groupsIn(setting, text, declaredGroups));
  const isReadOnly = readOnly.some(({ setting, text }) => isSet(setting, text));
  if (chosen.length === 0 && !isReadOnly) return definition;
  const isServed = (item: Item): boolean =>
    chosen.every((some) => isInGroups(item, some)) && (!isReadOnly || onlyReads(item));
  const served = {
    tools: tools.filter(isServed),
    resources: resources.filter(isServed),
    resourceTemplates: resourceTemplates.filter(isServed),
    prompts: prompts.filter(isServed),
  };
  log.info("only a part of the items is served", {
    ...(chosen.length > 0 && { groups: groups.map(({ text }) => text).join(" and ") }),
    ...(isReadOnly && { readOnly: true }),
    ...Object.fromEntries(
      LISTS.flatMap((list) => {
        const [count, of] = [served[list].length, whole[list]?.length ?? 0];
        return of === 0 ? [] : [[list, `${count} of ${of}`]];
      }),
    ),
  });
  return {
    ...definition,
    ...served,
    whole,
    ...(chosen.length > 0 && { chosenGroups: chosen.flat() }),
  };
}

function itemsIn(lists: ItemLists): readonly Item[] {
  return LISTS.flatMap((list) => lists[list] ?? []);
}

function groupsIn(
  setting: string,
  text: string,
  declaredGroups: ReadonlySet<string>,
): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !declaredGroups.has(name));
  if (unknown === undefined) return names;
  const all =
    declaredGroups.size === 0
      ? "no item has groups"
      : `there are ${[...declaredGroups].join(", ")}`;
  const words =
    text.trim() === ""
      ? `is empty, and everything is served only without it: ${all}`
      : unknown === ""
        ? `has an empty name beside a comma: ${all}`
        : `names the unknown group ${printable(unknown, 64)}: ${all}`;
  throw new SettingError(`${setting} ${words}`);
}

function isSet(setting: string, text: string): boolean {
  const value = text.trim().toLowerCase();
  if (["1", "true", "yes", "on"].includes(value)) return true;
  if (["", "0", "false", "no", "off"].includes(value)) return false;
  throw new SettingError(`${setting} must be 1 or 0, true or false`);
}
