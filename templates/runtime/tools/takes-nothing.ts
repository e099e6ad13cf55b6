import { hasOnly } from "../engine/request-parameters.js";
import type { ToolEntry } from "./definition.js";

/**
 * Whether a tool has no arguments. Clients whose models have to send an argument make one up for such tools, so that what
 * they send is dropped.
 */
export function takesNothing({ definition: { inputSchema } }: ToolEntry): boolean {
  const { properties = {}, required = [], additionalProperties } = inputSchema;
  for (const _name in properties) return false;
  return required.length === 0 && additionalProperties === false && hasOnly(inputSchema, ownKeys);
}

const ownKeys = [
  ...["type", "properties", "required", "additionalProperties"],
  ...["description", "title", "$schema"],
];
