import { pascalCase } from "../text/names.js";
import type { ItemKind, ItemNames } from "./server-model.js";

/** Names of the types of items; one place, since several modules refer to them. */
export const inputTypeName = (tool: ItemNames): string => `${tool.typeName}Input`;
export const outputTypeName = (tool: ItemNames): string => `${tool.typeName}Output`;
export const argumentsTypeName = (prompt: ItemNames): string => `${prompt.typeName}Arguments`;
export const variablesTypeName = (template: ItemNames): string => `${template.typeName}Variables`;

/** What the names of the types of questions end with, so that no two kinds of items can have the same. */
const kindWords: Readonly<Record<ItemKind, string>> = {
  tool: "Tool",
  resource: "Resource",
  resourceTemplate: "Template",
  prompt: "Prompt",
};

type NamedItem = ItemNames & { readonly kind: ItemKind };

export const questionsTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindWords[item.kind]}Questions`;
export const asksTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindWords[item.kind]}Asks`;
export const completionTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindWords[item.kind]}Completion`;
export const answersTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindWords[item.kind]}Answers`;

/** Names of the exports of a tool's module of validators. */
export const INPUT_VALIDATOR = "input";
export const OUTPUT_VALIDATOR = "output";

/** Names of the validators of an item's forms in its module: `confirmForm`, numbered where two meet. */
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
