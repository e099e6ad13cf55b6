import { ToolIndex } from "../../../templates/runtime/search/tool-index.js";
import { stemsOf } from "../../../templates/runtime/search/words.js";
import type { FieldRow } from "../../5-emit/project/schema-in-words.js";
import { TOP_LEVEL, type ReferenceSection } from "./manifest-reference.js";

/** A field of the manifest, as the reference has it. */
export interface FoundField extends FieldRow {
  /** The name of the section that the field is in. */
  readonly section: string;
}

/** Most fields that a search gives. */
const MOST_FOUND = 12;

/**
 * The fields that a query is about, the best first. The name of a section gives all of its fields, the name of a field
 * each field of that name, `tool.confirm` one of them; other words are looked for in names and descriptions.
 */
export function searchReference(
  sections: readonly ReferenceSection[],
  query: string,
): readonly FoundField[] {
  const fields = sections.flatMap(({ name: section, fields: rows }) =>
    rows.map((row) => ({ section, ...row })),
  );
  const wanted = query.trim().toLowerCase();
  const isWanted = (text: string): boolean => text.toLowerCase() === wanted;
  const named = [
    ...fields.filter(({ section }) => isWanted(section)),
    ...fields.filter((field) => isWanted(field.name) || isWanted(pathOf(field))),
  ];
  if (named.length > 0) return named;
  const byPath = new Map(fields.map((field) => [pathOf(field), field]));
  const entries = [...byPath].map(([path, { name, section, description }]) => ({
    name: path,
    reads: false,
    heading: stemsOf(section === TOP_LEVEL ? name : `${section} ${name}`).join(" "),
    text: stemsOf(description).join(" "),
  }));
  const found = new ToolIndex(entries).find(wanted, MOST_FOUND, () => true);
  return found.flatMap((path) => byPath.get(path) ?? []);
}

/** The path of a field within the reference: `tool.confirm`, or `tools` at the root of the manifest. */
export function pathOf({ section, name }: Pick<FoundField, "section" | "name">): string {
  return section === TOP_LEVEL ? name : `${section}.${name}`;
}
