import type { ts } from "ts-morph";
import { posix } from "node:path";
import type { Splice } from "../../text/splice.js";
import { modulePath, type EditTask, type ModuleMove } from "../source-editor.js";
import { nodesOf } from "./parse-module.js";
import { compiler } from "./compiler.js";

type ImportTask = Pick<EditTask, "from" | "to" | "moves">;

/** True if a text may import a module that moves. Uses a scanner, which is faster than the parser. */
export function mayImportMoved(source: string, { from, to, moves }: ImportTask): boolean {
  const isElsewhere = posix.dirname(from) !== posix.dirname(to);
  if (moves.size === 0 && !isElsewhere) return false;
  const { importedFiles } = compiler.preProcessFile(source, true, true);
  return importedFiles.some(({ fileName }) => {
    const target = targetOf(fileName, from);
    if (target === undefined) return false;
    const move = moves.get(target);
    return isElsewhere || (move !== undefined && (move.to !== target || hasNameOf(source, move)));
  });
}

function hasNameOf(source: string, { exports }: ModuleMove): boolean {
  return [...exports.keys()].some((name) => source.includes(name));
}

/** Splices for relative imports whose module, or the name that they import from it, changes in this run. */
export function adjustImports(file: ts.SourceFile, task: ImportTask): Splice[] {
  return [...nodesOf(file)].flatMap((node) => {
    const specifier = specifierOf(node);
    const target = specifier && targetOf(specifier.text, task.from);
    if (specifier === undefined || target === undefined) return [];
    const move = task.moves.get(target);
    return [
      ...(move?.isPackage === true
        ? [{ start: specifier.getStart(file) + 1, end: specifier.end - 1, text: move.to }]
        : adjustPath(file, specifier, move?.to ?? target, task)),
      ...(move === undefined ? [] : adjustNames(file, node, move)),
    ];
  });
}

/** The module that an import, a re-export, `import()` or `require()` names. */
function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  const named = moduleExpressionOf(node);
  return named !== undefined && compiler.isStringLiteralLike(named) ? named : undefined;
}

function moduleExpressionOf(node: ts.Node): ts.Node | undefined {
  if (compiler.isImportDeclaration(node) || compiler.isExportDeclaration(node))
    return node.moduleSpecifier;
  if (compiler.isExternalModuleReference(node)) return node.expression;
  if (compiler.isImportTypeNode(node)) {
    return compiler.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  }
  if (!compiler.isCallExpression(node)) return undefined;
  const { expression } = node;
  const isRequire = compiler.isIdentifier(expression) && expression.text === "require";
  const isImport = expression.kind === compiler.SyntaxKind.ImportKeyword;
  return isImport || isRequire ? node.arguments[0] : undefined;
}

function targetOf(specifier: string, importer: string): string | undefined {
  if (!/^\.\.?\//.test(specifier)) return undefined;
  return modulePath(posix.join(posix.dirname(importer), specifier));
}

function adjustPath(
  file: ts.SourceFile,
  specifier: ts.StringLiteralLike,
  target: string,
  { from, to }: ImportTask,
): Splice[] {
  const isSameTarget = target === targetOf(specifier.text, from);
  if (isSameTarget && posix.dirname(from) === posix.dirname(to)) return [];
  const extension = specifier.text.slice(modulePath(specifier.text).length);
  const relative = posix.relative(posix.dirname(to), target);
  const text = `${relative.startsWith("../") ? "" : "./"}${relative}${extension}`;
  return [{ start: specifier.getStart(file) + 1, end: specifier.end - 1, text }];
}

/** `{ old }` becomes `{ new as old }`, so that nothing else in the file changes. */
function adjustNames(file: ts.SourceFile, node: ts.Node, { exports }: ModuleMove): Splice[] {
  return namedElements(node).flatMap(({ name, propertyName }) => {
    const wanted = propertyName ?? name;
    const now = exports.get(wanted.text);
    if (now === undefined) return [];
    const start = wanted.getStart(file);
    return propertyName === undefined
      ? [{ start, end: start, text: `${now} as ` }]
      : [{ start, end: wanted.end, text: now }];
  });
}

/** The names between the braces of an import or export declaration; empty for any other node. */
export function namedElements(node: ts.Node): readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] {
  if (compiler.isExportDeclaration(node)) {
    return node.exportClause && compiler.isNamedExports(node.exportClause)
      ? node.exportClause.elements
      : [];
  }
  const bindings = compiler.isImportDeclaration(node)
    ? node.importClause?.namedBindings
    : undefined;
  return bindings && compiler.isNamedImports(bindings) ? bindings.elements : [];
}
