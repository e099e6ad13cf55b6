import { posix } from "node:path";
import type { ts } from "ts-morph";
import { isCustomTransport, partsOfId, type ItemId } from "../../model/output-file.js";
import { writeString } from "../../text/literal.js";
import type { Splice } from "../../text/splice.js";
import type { RenamedItem } from "../source-editor.js";
import { nodesOf } from "./parse-module.js";
import { compiler } from "./compiler.js";

/** The generated types whose argument is the name of an item, by the item's kind. */
const ITEM_TYPES: Readonly<Record<string, ReadonlySet<string>>> = {
  tool: new Set(["ToolHandler", "ToolInput", "ToolOutput"]),
  resource: new Set(["ResourceHandler"]),
  resourceTemplate: new Set(["ResourceTemplateHandler", "TemplateVariables"]),
  prompt: new Set(["PromptHandler", "PromptArguments"]),
  promptCompletion: new Set(["PromptCompletion", "PromptArguments"]),
  resourceTemplateCompletion: new Set(["ResourceTemplateCompletion", "TemplateVariables"]),
  resourceTemplateList: new Set(["ResourceTemplateList", "TemplateVariables"]),
};

/** Whether the types of a module may be those that are generated for the project. */
type IsOwnModule = (specifier: string) => boolean;

/** The literals with the name of an item in types such as `ToolHandler<"name">`. */
function itemTypeArguments(
  file: ts.SourceFile,
  item: ItemId,
  imported: ImportedTypes,
): ts.StringLiteral[] {
  const { kind, name } = partsOfId(item);
  const types = ITEM_TYPES[kind] ?? new Set();
  return [...nodesOf(file)].flatMap((node) => {
    const literal = firstTypeArgument(node);
    if (literal?.text !== name) return [];
    const type = typeNameOf(node, imported);
    return type !== undefined && types.has(type) ? [literal] : [];
  });
}

/** The nodes whose type is that of the handler of an item, such as `ToolHandler<"name">`, or `CustomTransport`. */
export function handlerTypes(file: ts.SourceFile, item: ItemId): ReadonlySet<ts.Node> {
  const imported = importedTypes(file, () => true);
  if (isCustomTransport(item)) {
    const isTransport = (node: ts.Node): boolean =>
      typeNameOf(node, imported) === "CustomTransport";
    return new Set([...nodesOf(file)].filter(isTransport));
  }
  const types = itemTypeArguments(file, item, imported).map(
    (literal): ts.Node => literal.parent.parent,
  );
  return new Set(types.filter((type) => /Handler</.test(type.getText(file))));
}

/**
 * Splices that replace these literals by the new names of their items.
 *
 * @param isHandler true for the file of a handler, which may get the generated types by any path
 */
export function renameTypeArguments(
  file: ts.SourceFile,
  items: readonly RenamedItem[],
  isHandler: boolean,
): Splice[] {
  const imported = importedTypes(file, (name) => isHandler || isOfProject(name, file.fileName));
  const renamed = new Map<ts.StringLiteral, string>();
  for (const { former, now } of items) {
    if (former === now) continue;
    // A type may belong to two kinds of code of one item.
    for (const literal of itemTypeArguments(file, former, imported))
      renamed.set(literal, partsOfId(now).name);
  }
  return [...renamed].map(([literal, name]) => {
    const start = literal.getStart(file);
    return /^[\w .-]*$/.test(name)
      ? { start: start + 1, end: literal.end - 1, text: name }
      : { start, end: literal.end, text: writeString(name) };
  });
}

function firstTypeArgument(node: ts.Node): ts.StringLiteral | undefined {
  if (!compiler.isTypeReferenceNode(node) && !compiler.isImportTypeNode(node)) return undefined;
  const argument = node.typeArguments?.[0];
  if (argument === undefined || !compiler.isLiteralTypeNode(argument)) return undefined;
  return compiler.isStringLiteral(argument.literal) ? argument.literal : undefined;
}

/** True for a module of the project, or of its `imports`: another server's package has types of the same names. */
function isOfProject(specifier: string, importer: string): boolean {
  if (specifier.startsWith("#")) return true;
  if (!/^\.\.?\//.test(specifier)) return false;
  return !posix.join(posix.dirname(importer), specifier).startsWith("../");
}

/** The name under which the module of a type exports it. */
function typeNameOf(
  node: ts.Node,
  { names, namespaces, isOwn }: ImportedTypes,
): string | undefined {
  if (compiler.isImportTypeNode(node)) {
    const { argument, qualifier } = node;
    const isNamed =
      compiler.isLiteralTypeNode(argument) &&
      compiler.isStringLiteral(argument.literal) &&
      isOwn(argument.literal.text);
    return isNamed && qualifier && compiler.isIdentifier(qualifier) ? qualifier.text : undefined;
  }
  if (!compiler.isTypeReferenceNode(node)) return undefined;
  const { typeName } = node;
  if (compiler.isIdentifier(typeName)) return names.get(typeName.text);
  const { left, right } = typeName;
  return compiler.isIdentifier(left) && namespaces.has(left.text) ? right.text : undefined;
}

/** What a file imports. */
interface ImportedTypes {
  /** The names of exports, by the names that the file has for them. */
  readonly names: ReadonlyMap<string, string>;
  /** The names of whole modules, as in `import * as g`. */
  readonly namespaces: ReadonlySet<string>;
  readonly isOwn: IsOwnModule;
}

/** What a file imports from these modules under names that it declares nowhere else. */
function importedTypes(file: ts.SourceFile, isOwn: IsOwnModule): ImportedTypes {
  const names = new Map<string, string>();
  const namespaces = new Set<string>();
  for (const statement of file.statements) {
    if (!compiler.isImportDeclaration(statement)) continue;
    const { moduleSpecifier, importClause } = statement;
    const bindings = importClause?.namedBindings;
    if (bindings === undefined || !compiler.isStringLiteral(moduleSpecifier)) continue;
    if (!isOwn(moduleSpecifier.text)) continue;
    if (compiler.isNamespaceImport(bindings)) namespaces.add(bindings.name.text);
    else {
      for (const { name, propertyName } of bindings.elements)
        names.set(name.text, (propertyName ?? name).text);
    }
  }
  for (const node of nodesOf(file)) {
    if (compiler.isTypeAliasDeclaration(node) || compiler.isInterfaceDeclaration(node))
      names.delete(node.name.text);
  }
  return { names, namespaces, isOwn };
}
