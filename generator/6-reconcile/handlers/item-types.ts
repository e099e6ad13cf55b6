import type { ts } from "ts-morph";
import { isCustomTransport, type ItemId } from "../../model/output-file.js";
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

function partsOf(item: ItemId): { kind: string; name: string } {
  const colon = item.indexOf(":");
  return { kind: item.slice(0, colon), name: item.slice(colon + 1) };
}

/** The literals with the name of an item in types such as `ToolHandler<"name">`. */
function itemTypeArguments(file: ts.SourceFile, item: ItemId): ts.StringLiteral[] {
  const { kind, name } = partsOf(item);
  const types = ITEM_TYPES[kind] ?? new Set();
  const imported = importedNamesByLocal(file);
  return [...nodesOf(file)].flatMap((node) => {
    const literal = firstTypeArgument(node);
    if (literal?.text !== name) return [];
    const type = typeNameOf(node, imported);
    return type !== undefined && types.has(type) ? [literal] : [];
  });
}

/** The nodes whose type is that of the handler of an item, such as `ToolHandler<"name">`, or `CustomTransport`. */
export function handlerTypes(file: ts.SourceFile, item: ItemId): ReadonlySet<ts.Node> {
  if (isCustomTransport(item)) {
    const imported = importedNamesByLocal(file);
    const isTransport = (node: ts.Node): boolean =>
      typeNameOf(node, imported) === "CustomTransport";
    return new Set([...nodesOf(file)].filter(isTransport));
  }
  const types = itemTypeArguments(file, item).map((literal): ts.Node => literal.parent.parent);
  return new Set(types.filter((type) => /Handler</.test(type.getText(file))));
}

/** Splices that replace these literals by the new names of their items. */
export function renameTypeArguments(file: ts.SourceFile, items: readonly RenamedItem[]): Splice[] {
  const renamed = new Map<ts.StringLiteral, string>();
  for (const { former, now } of items) {
    if (former === now) continue;
    // A type may belong to two kinds of code of one item.
    for (const literal of itemTypeArguments(file, former)) renamed.set(literal, partsOf(now).name);
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

/** The name under which the module of a type exports it. */
function typeNameOf(node: ts.Node, imported: ReadonlyMap<string, string>): string | undefined {
  if (compiler.isImportTypeNode(node)) {
    return node.qualifier && compiler.isIdentifier(node.qualifier)
      ? node.qualifier.text
      : undefined;
  }
  if (!compiler.isTypeReferenceNode(node)) return undefined;
  const { typeName } = node;
  return compiler.isIdentifier(typeName) ? imported.get(typeName.text) : typeName.right.text;
}

function importedNamesByLocal(file: ts.SourceFile): Map<string, string> {
  const names = new Map<string, string>();
  for (const statement of file.statements) {
    const bindings =
      compiler.isImportDeclaration(statement) && statement.importClause?.namedBindings;
    if (!bindings || !compiler.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      names.set(name.text, (propertyName ?? name).text);
    }
  }
  return names;
}
