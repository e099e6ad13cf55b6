import type { ItemNames } from "./server-model.js";

/** Names of the types in `src/generated/types.ts`; one place, since several modules refer to them. */
export const inputTypeName = (tool: ItemNames): string => `${tool.typeName}Input`;
export const outputTypeName = (tool: ItemNames): string => `${tool.typeName}Output`;
export const argumentsTypeName = (prompt: ItemNames): string => `${prompt.typeName}Arguments`;
export const variablesTypeName = (template: ItemNames): string => `${template.typeName}Variables`;

/** Names of the compiled validators in `src/generated/validators.js`. */
export const inputValidatorName = (tool: ItemNames): string => `${tool.identifier}Input`;
export const outputValidatorName = (tool: ItemNames): string => `${tool.identifier}Output`;
