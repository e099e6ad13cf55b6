import type { TypeAliasDeclarationStructure } from "ts-morph";
import { laidOutDocs, type Docs } from "./doc-lines.js";
import { LINE_WIDTH } from "./line-width.js";
import { readName, readType } from "./type-expression.js";

/** The keys of structures that are understood here. */
const aliasKeys: ReadonlySet<string> = new Set(
  "kind isExported name docs type typeParameters".split(" "),
);

/**
 * An exported alias of a type, or of a few, in prettier's layout: each tool that answers with a shared
 * schema has one.
 *
 * @returns `undefined` where only prettier knows the layout
 */
export function layOutTypeAlias(structure: TypeAliasDeclarationStructure): string | undefined {
  const { name, isExported, docs, type, typeParameters = [] } = structure;
  const isKnown = Object.keys(structure).every((key) => aliasKeys.has(key)) && isExported;
  const comment = laidOutDocs(docs as Docs | undefined, "");
  if (!isKnown || typeParameters.length > 0 || comment === undefined) return undefined;
  const read = typeof type === "string" ? (readName(type) ?? readType(type)) : undefined;
  if (read?.kind !== "union") return undefined;
  const line = `export type ${name} = ${read.members.join(" | ")};`;
  return line.length <= LINE_WIDTH ? comment + line : undefined;
}
