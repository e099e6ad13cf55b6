import type { ItemKind, ItemNames } from "./server-model.js";

/** Names of the types in `src/generated/types.ts`; one place, since several modules refer to them. */
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
export const answersTypeName = (item: NamedItem): string =>
  `${item.typeName}${kindWords[item.kind]}Answers`;

/** Names of the compiled validators in `src/generated/validators.js`. */
export const inputValidatorName = (tool: ItemNames): string => `${tool.identifier}Input`;
export const outputValidatorName = (tool: ItemNames): string => `${tool.identifier}Output`;
export const formValidatorName = (item: NamedItem, key: string): string =>
  `${item.identifier}${kindWords[item.kind]}Form_${key}`;
