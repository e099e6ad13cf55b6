import { ts } from "../../text/compiler.js";

/** What stands behind an exported name. */
export type ModuleExport =
  /** `export const name`, also a function or a class. */
  | { readonly kind: "declaration"; readonly name: ts.Identifier }
  /** `export { name }` or `export { local as name }`, also `… from "./other.js"`. */
  | { readonly kind: "specifier"; readonly specifier: ts.ExportSpecifier };

/** The named exports of a module, and whether it has others that only the modules behind it tell. */
export interface ModuleExports {
  readonly named: ReadonlyMap<string, ModuleExport>;
  /** It has `export *`. */
  readonly open: boolean;
}

export function exportsOf(file: ts.SourceFile): ModuleExports {
  const named = new Map<string, ModuleExport>();
  let open = false;
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause === undefined) open = true;
      for (const specifier of specifiersOf(statement)) {
        named.set(specifier.name.text, { kind: "specifier", specifier });
      }
    } else if (isExported(statement)) {
      for (const name of declaredNames(statement)) {
        named.set(name.text, { kind: "declaration", name });
      }
    }
  }
  return { named, open };
}

function specifiersOf({ exportClause }: ts.ExportDeclaration): readonly ts.ExportSpecifier[] {
  return exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements : [];
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const kinds = new Set(modifiers.map(({ kind }) => kind));
  return kinds.has(ts.SyntaxKind.ExportKeyword) && !kinds.has(ts.SyntaxKind.DefaultKeyword);
}

/** The values that a statement declares at its own level. */
function declaredNames(statement: ts.Statement): ts.Identifier[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const isValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return isValue && statement.name !== undefined ? [statement.name] : [];
}

function boundNames(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? boundNames(element.name) : [],
  );
}

/** Where a module declares a value of its own under this name, exported or not. */
export function declarationOf(file: ts.SourceFile, name: string): ts.Identifier | undefined {
  return file.statements.flatMap(declaredNames).find(({ text }) => text === name);
}

/** Every name that a module binds at its top level, types and imports included. */
export function topLevelNames(file: ts.SourceFile): Set<string> {
  const names = file.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) return importedNames(statement.importClause);
    const named = "name" in statement ? statement.name : undefined;
    const own = typeof named === "object" && named !== null && "text" in named ? named.text : "";
    return [...declaredNames(statement).map(({ text }) => text), String(own)];
  });
  return new Set(names);
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  if (clause === undefined) return [];
  const { name, namedBindings } = clause;
  const names = name === undefined ? [] : [name.text];
  if (namedBindings === undefined) return names;
  if (ts.isNamespaceImport(namedBindings)) return [...names, namedBindings.name.text];
  return [...names, ...namedBindings.elements.map((element) => element.name.text)];
}
