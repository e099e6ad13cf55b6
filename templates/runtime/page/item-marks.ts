import type { Authentication } from "../authentication/authentication.js";
import type { ServerControls } from "../changes/live-state.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Deprecation, Item, ItemLists } from "../engine/item.js";
import { restrictionOf } from "../restrict/caller-restriction.js";

/** What people see of an item that the protocol's lists do not have. */
export interface ItemMarks {
  /** Its groups, without those that are switched off for everybody or for the reader. */
  readonly groups?: readonly string[];
  readonly deprecated?: Deprecation;
  /** Whether a person is asked before each call. */
  readonly confirm?: true;
}

/** The kinds of items, as the page names them, with their lists and with what identifies an item in them. */
const KINDS = [
  ["tool", "tools", "tools", "name"],
  ["resource", "resources", "resources", "uri"],
  ["template", "resourceTemplates", "resources", "uriTemplate"],
  ["prompt", "prompts", "prompts", "name"],
] as const;

/** The marks of items, by the kinds of the page and the names or URIs of the items. Items without marks are left out. */
export type MarksOfItems = Readonly<
  Record<(typeof KINDS)[number][0], Readonly<Record<string, ItemMarks>>>
>;

/** The caller who reads the marks, and the state of the items for that caller. */
export interface MarksReader {
  /** The caller who reads; absent if callers are not authenticated. */
  readonly caller?: Authentication | undefined;
  /** Which items are switched on now. By default, those that are on at the start. */
  readonly controls?: ServerControls | undefined;
}

/** The parts of a definition that decide about marks. */
type MarkedDefinition = Pick<ServerDefinition, "isHidden" | "restrict" | "chosenGroups">;

/** Returns the marks of the items that a reader may see. */
export function marksFor(
  definition: MarkedDefinition,
  { caller, controls }: MarksReader = {},
): MarksOfItems {
  const { isHidden, restrict = {}, chosenGroups } = definition;
  const ofReader = restrictionOf(restrict, caller).groups;
  const isShown = (group: string): boolean =>
    [chosenGroups, ofReader].every((groups) => groups?.includes(group) ?? true);
  const mayRead = (item: Item): boolean =>
    caller === undefined || isHidden?.(item, { authentication: caller }) !== true;
  const lists = definition as ItemLists;
  const entries = KINDS.map(([kind, list, switches, key]) => {
    const isOn = ({ enabled = true, definition: { name } }: Item): boolean =>
      controls?.[switches].isEnabled(name) ?? enabled;
    const readable = (lists[list] ?? []).filter((item) => isOn(item) && mayRead(item));
    const marks = readable.map((item) => {
      const { [key]: identity = "" } = item.definition as Partial<Record<typeof key, string>>;
      return [identity, marksOf(item, isShown)] as const;
    });
    return [kind, Object.fromEntries(marks.filter(([, own]) => Object.keys(own).length > 0))];
  });
  return Object.fromEntries(entries) as MarksOfItems;
}

function marksOf(
  { groups = [], deprecated, confirm }: Item,
  isShown: (group: string) => boolean,
): ItemMarks {
  const shown = groups.filter(isShown);
  return {
    ...(shown.length > 0 && { groups: shown }),
    ...(deprecated !== undefined && { deprecated }),
    ...(confirm !== undefined && { confirm: true }),
  };
}
