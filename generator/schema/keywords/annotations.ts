import { BOTH_DIALECTS, MODERN_ONLY, type KeywordDefinition } from "./definition.js";

/** Keywords that refuse no value: notes for people and tools, and names and places for references. */

const note = (
  name: string,
  shape: KeywordDefinition["shape"] = "string",
  dialects = BOTH_DIALECTS,
): KeywordDefinition => ({ name, shape, dialects, refusesNothing: true });

/** What references lead to, or find their schemas in. */
const target = (
  name: string,
  shape: KeywordDefinition["shape"],
  dialects = BOTH_DIALECTS,
): KeywordDefinition => ({ ...note(name, shape, dialects), isTarget: true });

export const annotations: readonly KeywordDefinition[] = [
  note("$schema"),
  note("$comment"),
  note("title"),
  note("description"),
  note("contentEncoding"),
  note("contentMediaType"),
  { ...note("contentSchema", "schema", MODERN_ONLY), isTentative: true },
  { ...note("default", "any"), defaults: (rule) => ({ value: rule }) },
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
    ...target("$anchor", "string", MODERN_ONLY),
    instead: "refer by path: #/definitions/Name",
  },
  target("$dynamicAnchor", "string", MODERN_ONLY),
  target("$defs", "schema map"),
  target("definitions", "schema map"),
];
