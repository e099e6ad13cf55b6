import { pascalCase } from "../text/names.js";
import type { ItemKind, ItemNames } from "./server-model.js";

/** Names of the generated types of items. They are defined here because several modules refer to them. */
export const inputTypeName = (tool: ItemNames): string => `${tool.typeName}Input`;
export const outputTypeName = (tool: ItemNames): string => `${tool.typeName}Output`;
export const argumentsTypeName = (prompt: ItemNames): string => `${prompt.typeName}Arguments`;
export const variablesTypeName = (template: ItemNames): string => `${template.typeName}Variables`;

/** The kind of the item in a type name, so that a tool and a prompt of the same name have different types. */
const kindInTypeName: Readonly<Record<ItemKind, string>> = {
  tool: "Tool",
  resource: "Resource",
  resourceTemplate: "Template",
  prompt: "Prompt",
};

type NamedItem = ItemNames & { readonly kind: ItemKind };

export const questionsTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindInTypeName[item.kind]}Questions`;
export const asksTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindInTypeName[item.kind]}Asks`;
export const completionTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindInTypeName[item.kind]}Completion`;
export const answersTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindInTypeName[item.kind]}Answers`;

/** Names of the exports of a tool's module of validators. */
export const INPUT_VALIDATOR = "input";
export const OUTPUT_VALIDATOR = "output";

/**
 * The names of the validators of an item's forms in its module, by the key of the question: `confirmForm`.
 * Names that would be equal get numbers.
 */
export function formValidatorNames(keys: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const key of keys) {
    const typeName = pascalCase(key);
    const base = typeName.charAt(0).toLowerCase() + typeName.slice(1);
    let name = `${base}Form`;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}Form`;
    taken.add(name);
    names.set(key, name);
  }
  return names;
}
