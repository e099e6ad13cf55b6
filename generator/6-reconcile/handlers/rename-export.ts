import type { ts } from "ts-morph";
import type { Splice } from "../../text/splice.js";
import { declarationOf, exportsOf, topLevelNames } from "./module-exports.js";
import type { BindingFinder } from "./rename-locations.js";

/** The result of renaming an export. */
export interface RenamedExport {
  readonly splices: readonly Splice[];
  /** The former name, if the declaration could not be renamed and must also be exported under the new name. */
  readonly keptName?: string;
}

/** Renames an export, and its declaration if that has the same name. */
export function renameExport(
  file: ts.SourceFile,
  from: string,
  to: string,
  finder: BindingFinder,
): RenamedExport {
  if (from === to) return { splices: [] };
  const { named } = exportsOf(file);
  const found = named.get(from);
  if (found === undefined || named.has(to)) return { splices: [] };
  if (found.kind === "declaration") {
    const splices = renameBinding(file, found.name, to, finder);
    return splices === undefined ? { splices: [], keptName: from } : { splices };
  }
  return { splices: renameSpecifier(file, found.specifier, to, finder) };
}

/** Renames a name in `export { … }`. The local declaration is renamed too if possible; otherwise an alias is exported. */
function renameSpecifier(
  file: ts.SourceFile,
  specifier: ts.ExportSpecifier,
  to: string,
  finder: BindingFinder,
): Splice[] {
  const { name, propertyName } = specifier;
  const place = { start: name.getStart(file), end: name.end };
  if (propertyName !== undefined) return [{ ...place, text: to }];
  const isReExport = specifier.parent.parent.moduleSpecifier !== undefined;
  const declaration = isReExport ? undefined : declarationOf(file, name.text);
  const splices = declaration && renameBinding(file, declaration, to, finder);
  if (splices === undefined) return [{ ...place, text: `${name.text} as ${to}` }];
  // The compiler would keep the exported name: `export { to as from }`.
  return splices.map((splice) => (splice.start === place.start ? { ...splice, text: to } : splice));
}

function renameBinding(
  file: ts.SourceFile,
  declaration: ts.Identifier,
  to: string,
  finder: BindingFinder,
): Splice[] | undefined {
  if (topLevelNames(file).has(to)) return undefined;
  return finder.rename(file.text, declaration.getStart(file), to);
}
