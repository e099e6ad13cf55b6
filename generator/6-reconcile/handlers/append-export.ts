import type { ts } from "ts-morph";
import { posix } from "node:path";
import type { ItemId } from "../../model/output-file.js";
import { lineEndOf } from "../../text/line-ends.js";
import { applySplices, type Splice } from "../../text/splice.js";
import { modulePath, type HandlerTask } from "../source-editor.js";
import { handlerTypes } from "./item-types.js";
import { topLevelNames } from "./module-exports.js";
import { nodesOf, parseModule } from "./parse-module.js";
import { compiler } from "./compiler.js";

/**
 * Adds the export that generated code imports: of the constant that is the handler by its type, whatever its name,
 * or else of a stub.
 *
 * @param to the path that the file will have
 */
export function appendExport(
  file: ts.SourceFile,
  { former, now, stub }: HandlerTask,
  to: string,
): Splice[] {
  const { exportName } = now;
  const local = topLevelNames(file).has(exportName)
    ? exportName
    : (handlerOf(file, former.item) ?? handlerOf(file, now.item));
  if (local !== undefined) return [atEnd(file, exportAs(local, exportName))];
  if (hasDefaultExport(file)) {
    const itself = posix.basename(modulePath(to));
    return [atEnd(file, `export { default as ${exportName} } from "./${itself}.js";`)];
  }
  return appendStub(file, stub);
}

/** A line that exports a local constant under a name. */
export function exportAs(local: string, name: string): string {
  return local === name ? `export { ${name} };` : `export { ${local} as ${name} };`;
}

/** A splice that appends text after the last line, with the line ends of the file. */
export function atEnd(file: ts.SourceFile, text: string): Splice {
  const { text: source } = file;
  const gap = source === "" ? "" : source.endsWith("\n") ? "\n" : "\n\n";
  const lines = `${gap}${text}\n`.replaceAll("\n", lineEndOf(source));
  return { start: source.length, end: source.length, text: lines };
}

/** The constant at the top level whose type says that it is the handler of this item, or the transport. */
function handlerOf(file: ts.SourceFile, item: ItemId): string | undefined {
  const types = handlerTypes(file, item);
  const declarations = file.statements
    .filter(compiler.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations);
  const found = declarations.find(({ type, initializer }) =>
    [type, initializer && compiler.isSatisfiesExpression(initializer) && initializer.type].some(
      (node) => node && types.has(node),
    ),
  );
  return found && compiler.isIdentifier(found.name) ? found.name.text : undefined;
}

function hasDefaultExport(file: ts.SourceFile): boolean {
  return file.statements.some((statement) => {
    if (compiler.isExportAssignment(statement)) return statement.isExportEquals !== true;
    const modifiers = compiler.canHaveModifiers(statement)
      ? (compiler.getModifiers(statement) ?? [])
      : [];
    return modifiers.some(({ kind }) => kind === compiler.SyntaxKind.DefaultKeyword);
  });
}

/** Splices that append the stub after the last line, and its imports after the last import. */
function appendStub(file: ts.SourceFile, content: string): Splice[] {
  const stub = parseModule("stub.ts", content);
  if (stub === undefined) throw new Error(`a stub that cannot be parsed: ${content}`);
  const { imports, names } = missingImports(file, stub);
  const body = content
    .slice(stub.statements.findLast(compiler.isImportDeclaration)?.end ?? 0)
    .trim();
  const end = file.statements.findLast(compiler.isImportDeclaration)?.end;
  const code = withNames(body, names);
  if (imports.length === 0) return [atEnd(file, code)];
  if (end === undefined) return [atEnd(file, `${imports.join("\n")}\n\n${code}`)];
  const lineEnd = lineEndOf(file.text);
  const added = imports.map((line) => lineEnd + line).join("");
  return [{ start: end, end, text: added }, atEnd(file, code)];
}

interface MissingImports {
  readonly imports: readonly string[];
  /** Names in the user's file by imported name, if they differ. */
  readonly names: ReadonlyMap<string, string>;
}

/** The imports of the stub that are missing in the file, under names that are not used there. */
function missingImports(file: ts.SourceFile, stub: ts.SourceFile): MissingImports {
  const present = importsByModule(file);
  const taken = topLevelNames(file);
  const names = new Map<string, string>();
  const imports = [...importsByModule(stub)].flatMap(([module, wanted]) => {
    const missing = [...wanted].flatMap(([name, { isType }]) => {
      const imported = present.get(module)?.get(name);
      if (imported !== undefined && (isType || !imported.isType)) {
        if (imported.local !== name) names.set(name, imported.local);
        return [];
      }
      const local = freeName(name, taken);
      if (local !== name) names.set(name, local);
      return [`${isType ? "type " : ""}${local === name ? name : `${name} as ${local}`}`];
    });
    return missing.length === 0 ? [] : [`import { ${missing.join(", ")} } from "${module}";`];
  });
  return { imports, names };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
  return free;
}

interface ImportedName {
  readonly local: string;
  readonly isType: boolean;
}

function importsByModule(file: ts.SourceFile): Map<string, Map<string, ImportedName>> {
  const modules = new Map<string, Map<string, ImportedName>>();
  for (const { importClause, moduleSpecifier } of file.statements.filter(
    compiler.isImportDeclaration,
  )) {
    const bindings = importClause?.namedBindings;
    if (
      !bindings ||
      !compiler.isNamedImports(bindings) ||
      !compiler.isStringLiteral(moduleSpecifier)
    )
      continue;
    const names = modules.get(moduleSpecifier.text) ?? new Map<string, ImportedName>();
    modules.set(moduleSpecifier.text, names);
    for (const { name, propertyName, isTypeOnly } of bindings.elements) {
      const isType = isTypeOnly || importClause?.phaseModifier === compiler.SyntaxKind.TypeKeyword;
      names.set((propertyName ?? name).text, { local: name.text, isType });
    }
  }
  return modules;
}

/** The stub's code with imported names as the user's file has them. */
function withNames(code: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0) return code;
  const tree = compiler.createSourceFile("stub.ts", code, compiler.ScriptTarget.Latest, true);
  const splices = [...nodesOf(tree)].filter(compiler.isIdentifier).flatMap((identifier) => {
    const text = names.get(identifier.text);
    return text === undefined
      ? []
      : [{ start: identifier.getStart(tree), end: identifier.end, text }];
  });
  return applySplices(code, splices);
}
