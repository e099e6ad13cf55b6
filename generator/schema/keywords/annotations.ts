import { BOTH_DIALECTS, MODERN_ONLY, type KeywordDefinition } from "./definition.js";

/** Keywords that refuse no value: notes for people and tools, and names and places for references. */

const note = (
  name: string,
  shape: KeywordDefinition["shape"] = "string",
  dialects = BOTH_DIALECTS,
): KeywordDefinition => ({ name, shape, dialects, refusesNothing: true });

/** A keyword to which references lead: an anchor, or a container of schemas. */
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
  // Of 2020-12, but zod writes it into schemas of draft-07 too, where readers ignore what they do not know.
  note("deprecated", "boolean"),
];

/**
 * The keywords to which references lead. `definitions` and `$defs` are accepted in both dialects, since they only
 * contain schemas for references, and generators of schemas mix them.
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
