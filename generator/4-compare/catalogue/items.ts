import { quoted } from "../../text/value-words.js";
import { defineRule, type RuleMaker } from "../rule.js";

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
  readonly list: ListName;
  /** The ids of the rules begin with this text. */
  readonly id: string;
  readonly noun: string;
  /** What a caller does with such an item: "calls". */
  readonly use: string;
  /** True if callers use the item by its name; otherwise they find it by its name and use it by its URI. */
  readonly isCalledByName: boolean;
  /** Makes an item as YAML. */
  readonly sample: (name: string, more?: string) => string;
}

function removedRule({ list, id, noun, use, sample }: ItemKind): ItemRules["removed"] {
  return defineRule<Removed>({
    id: `${id}-removed`,
    severity: "breaking",
    title: `a ${noun} is gone`,
    explanation: {
      cause: `A ${noun} that the server listed is no longer in the manifest. Who ${use} it gets an error.`,
      example: { before: `${list}: [${sample("old")}]`, after: `${list}: []` },
      fix: `Keep the ${noun}, or release a new major version. If it only has a new name, write the old one as \`renamedFrom\` of the new ${noun}, so that its handler follows.`,
    },
    message: ({ name, twin }) => {
      const hint = `; if ${quoted(twin ?? "")} is the same under a new name, write \`renamedFrom: ${name}\` there`;
      return `the ${noun} ${quoted(name)} is gone${twin === undefined ? "" : hint}`;
    },
  });
}

function renamedRule(kind: ItemKind): ItemRules["renamed"] {
  const { list, id, noun, use, isCalledByName, sample } = kind;
  const loss = isCalledByName ? "nothing answers to the old name" : "no list has the old name";
  return defineRule<Renamed>({
    id: `${id}-renamed`,
    severity: "breaking",
    title: `a ${noun} has a new name`,
    explanation: {
      cause: isCalledByName
        ? `A ${noun} has another name, and nothing answers to the old one. Who ${use} it by the old name gets an error.`
        : `A ${noun} has another name. Who looks for it by the old one in the list finds nothing; its URI is as good as before.`,
      example: {
        before: `${list}: [${sample("old")}]`,
        after: `${list}: [${sample("new", ", renamedFrom: old")}]`,
      },
      fix:
        list === "tools"
          ? "Write the old name under the tool's `aliases`: it keeps answering without being listed. Else release a new major version."
          : "Keep the name and change the `title`, or release a new major version.",
    },
    message: ({ from, to }) => `the ${noun} ${quoted(from)} is now ${quoted(to)}, and ${loss}`,
  });
}

function addedRule({ list, id, noun, sample }: ItemKind): ItemRules["added"] {
  return defineRule<Added>({
    id: `${id}-added`,
    severity: "info",
    title: `a ${noun} is new`,
    explanation: {
      cause: `The manifest has a ${noun} that the server did not list before.`,
      example: { before: `${list}: []`, after: `${list}: [${sample("new")}]` },
      fix: "Nothing: callers that do not know it are not affected.",
    },
    message: ({ name }) => `the ${noun} ${quoted(name)} is new`,
  });
}

function itemRules(kind: ItemKind): ItemRules {
  return { removed: removedRule(kind), renamed: renamedRule(kind), added: addedRule(kind) };
}

/** The rules that report removed, renamed and added items, for each list. */
export const itemRulesOf: Readonly<Record<ListName, ItemRules>> = {
  tools: itemRules({
    list: "tools",
    id: "tool",
    noun: "tool",
    use: "calls",
    isCalledByName: true,
    sample: (name, more = "") => `{name: ${name}, description: Daily forecast.${more}}`,
  }),
  resources: itemRules({
    list: "resources",
    id: "resource",
    noun: "resource",
    use: "reads",
    isCalledByName: false,
    sample: (name, more = "") => `{name: ${name}, uri: 'weather://help'${more}}`,
  }),
  resourceTemplates: itemRules({
    list: "resourceTemplates",
    id: "resource-template",
    noun: "resource template",
    use: "reads",
    isCalledByName: false,
    sample: (name, more = "") => `{name: ${name}, uriTemplate: 'weather://{city}'${more}}`,
  }),
  prompts: itemRules({
    list: "prompts",
    id: "prompt",
    noun: "prompt",
    use: "gets",
    isCalledByName: true,
    sample: (name, more = "") => `{name: ${name}, description: Plan a trip.${more}}`,
  }),
};
