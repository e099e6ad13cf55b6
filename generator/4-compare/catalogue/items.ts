import { quoted } from "../../text/value-words.js";
import { defineRule, type RuleMaker } from "../../model/semantic-rule.js";

/** The lists of items in a manifest. */
export const LIST_NAMES = ["tools", "resources", "resourceTemplates", "prompts"] as const;

export type ListName = (typeof LIST_NAMES)[number];

interface Removed {
  readonly name: string;
  /** The name of an added item that is like the removed one, and may be the same. */
  readonly twin?: string;
}

interface Renamed {
  readonly from: string;
  readonly to: string;
}

interface Added {
  readonly name: string;
}

/** The rules that every kind of item has. */
export interface ItemRules {
  readonly removed: RuleMaker<Removed>;
  readonly renamed: RuleMaker<Renamed>;
  readonly added: RuleMaker<Added>;
}

interface ItemKind {
  /** The ids of the rules begin with this text. */
  readonly id: string;
  readonly noun: string;
  /** True if callers use the item by its name; otherwise they find it by its name and use it by its URI. */
  readonly isCalledByName: boolean;
}

function removedRule({ id, noun }: ItemKind): ItemRules["removed"] {
  return defineRule<Removed>({
    id: `${id}-removed`,
    severity: "breaking",
    message: ({ name, twin }) => {
      const hint = `; if ${quoted(twin ?? "")} is the same under a new name, write \`renamedFrom: ${name}\` there`;
      return `the ${noun} ${quoted(name)} is gone${twin === undefined ? "" : hint}`;
    },
  });
}

function renamedRule({ id, noun, isCalledByName }: ItemKind): ItemRules["renamed"] {
  const loss = isCalledByName ? "nothing answers to the old name" : "no list has the old name";
  return defineRule<Renamed>({
    id: `${id}-renamed`,
    severity: "breaking",
    message: ({ from, to }) => `the ${noun} ${quoted(from)} is now ${quoted(to)}, and ${loss}`,
  });
}

function addedRule({ id, noun }: ItemKind): ItemRules["added"] {
  return defineRule<Added>({
    id: `${id}-added`,
    severity: "info",
    message: ({ name }) => `the ${noun} ${quoted(name)} is new`,
  });
}

function itemRules(kind: ItemKind): ItemRules {
  return { removed: removedRule(kind), renamed: renamedRule(kind), added: addedRule(kind) };
}

/** The rules that report removed, renamed and added items, for each list. */
export const itemRulesOf: Readonly<Record<ListName, ItemRules>> = {
  tools: itemRules({
    id: "tool",
    noun: "tool",
    isCalledByName: true,
  }),
  resources: itemRules({
    id: "resource",
    noun: "resource",
    isCalledByName: false,
  }),
  resourceTemplates: itemRules({
    id: "resource-template",
    noun: "resource template",
    isCalledByName: false,
  }),
  prompts: itemRules({
    id: "prompt",
    noun: "prompt",
    isCalledByName: true,
  }),
};
