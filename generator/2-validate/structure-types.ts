import type { SchemaNode } from "./manifest-schema.js";

/** The types that a node of the manifest's schema states. */
export function typesOf({ type }: SchemaNode): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}
