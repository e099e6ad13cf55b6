import type { ts } from "ts-morph";
import { compiler } from "./compiler.js";

/** The declaration or specifier of an exported name. */
export type ModuleExport =
  /** `export const name`, also a function or a class. */
  | { readonly kind: "declaration"; readonly name: ts.Identifier }
  /** `export { name }` or `export { local as name }`, also `… from "./other.js"`. */
  | { readonly kind: "specifier"; readonly specifier: ts.ExportSpecifier };

/** The named exports of a module, and whether it re-exports all names of another module. */
export interface ModuleExports {
  readonly named: ReadonlyMap<string, ModuleExport>;
  /** True if the module has `export *`. */
  readonly open: boolean;
}

/** The named exports of a module. */
export function exportsOf(file: ts.SourceFile): ModuleExports {
  const named = new Map<string, ModuleExport>();
  let open = false;
  for (const statement of file.statements) {
    if (compiler.isExportDeclaration(statement)) {
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
  return exportClause !== undefined && compiler.isNamedExports(exportClause)
    ? exportClause.elements
    : [];
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = compiler.canHaveModifiers(statement)
    ? (compiler.getModifiers(statement) ?? [])
    : [];
  const kinds = new Set(modifiers.map(({ kind }) => kind));
  return (
    kinds.has(compiler.SyntaxKind.ExportKeyword) && !kinds.has(compiler.SyntaxKind.DefaultKeyword)
  );
}

/** The values that a statement declares at its own level. */
function declaredNames(statement: ts.Statement): ts.Identifier[] {
  if (compiler.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const isValue =
    compiler.isFunctionDeclaration(statement) || compiler.isClassDeclaration(statement);
  return isValue && statement.name !== undefined ? [statement.name] : [];
}

function boundNames(name: ts.BindingName): ts.Identifier[] {
  if (compiler.isIdentifier(name)) return [name];
  return name.elements.flatMap((element) =>
    compiler.isBindingElement(element) ? boundNames(element.name) : [],
  );
}

/** The declaration of a value with this name in a module, exported or not. */
export function declarationOf(file: ts.SourceFile, name: string): ts.Identifier | undefined {
  return file.statements.flatMap(declaredNames).find(({ text }) => text === name);
}

/** All names that a module binds at its top level, including types and imports. */
export function topLevelNames(file: ts.SourceFile): Set<string> {
  const names = file.statements.flatMap((statement) => {
    if (compiler.isImportDeclaration(statement)) return importedNames(statement.importClause);
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
  if (compiler.isNamespaceImport(namedBindings)) return [...names, namedBindings.name.text];
  return [...names, ...namedBindings.elements.map((element) => element.name.text)];
}
