import { BOTH_DIALECTS, MODERN_ONLY, type KeywordDefinition } from "./definition.js";

/** Keywords that refuse no value: notes for people and tools, and names and places for references. */

const note = (
  name: string,
  shape: KeywordDefinition["shape"] = "string",
  dialects = BOTH_DIALECTS,
  isUntyped = true,
): KeywordDefinition => ({ name, shape, dialects, isUntyped, isSilent: true });

export const annotations: readonly KeywordDefinition[] = [
  note("$schema"),
  note("$comment"),
  note("title"),
  note("description"),
  note("contentEncoding"),
  note("contentMediaType"),
  { ...note("contentSchema", "schema", MODERN_ONLY, false), isTentative: true },
  note("default", "any", BOTH_DIALECTS, false),
  note("examples", "list"),
  note("readOnly", "boolean"),
  note("writeOnly", "boolean"),
  note("deprecated", "boolean", MODERN_ONLY),
];

/**
 * `definitions` and `$defs` stand in both dialects: they only hold schemas to point at, and generators of schemas mix
 * them.
 */
export const definitions: readonly KeywordDefinition[] = [
  {
    ...note("$anchor", "string", MODERN_ONLY, false),
    instead: "refer by path: #/definitions/Name",
  },
  note("$dynamicAnchor", "string", MODERN_ONLY, false),
  note("$defs", "schema map", BOTH_DIALECTS, false),
  note("definitions", "schema map", BOTH_DIALECTS, false),
];
