import type {
  ExportDeclarationStructure,
  ImportDeclarationStructure,
  InterfaceDeclarationStructure,
  TypeAliasDeclarationStructure,
  VariableStatementStructure,
} from "ts-morph";
import { StructureKind, VariableDeclarationKind } from "../../text/structure-kinds.js";
import { expressionOf, isTree, type ListConstant, type ListEntry } from "../file-pieces.js";
import { callOf } from "../layout/expression.js";
import { commentLines, writeKey, writeString } from "../../text/literal.js";

/** Short makers of the ts-morph structures that generated modules are built from. */

export function importOf(
  moduleSpecifier: string,
  names: readonly string[],
): ImportDeclarationStructure {
  return {
    kind: StructureKind.ImportDeclaration,
    moduleSpecifier,
    namedImports: names.map((name) => ({ name })),
  };
}

export function importTypes(
  moduleSpecifier: string,
  names: readonly string[],
): ImportDeclarationStructure {
  return { ...importOf(moduleSpecifier, names), isTypeOnly: true };
}

export function importNamespace(moduleSpecifier: string, name: string): ImportDeclarationStructure {
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier, namespaceImport: name };
}

export function exportFrom(
  moduleSpecifier: string,
  names: readonly string[],
  isTypeOnly = false,
): ExportDeclarationStructure {
  return {
    kind: StructureKind.ExportDeclaration,
    moduleSpecifier,
    isTypeOnly,
    namedExports: names.map((name) => ({ name })),
  };
}

interface Constant {
  readonly name: string;
  readonly type?: string;
  readonly initializer: string;
  readonly docs?: string;
  readonly exported?: boolean;
}

export function constant({
  name,
  type,
  initializer,
  docs,
  exported = true,
}: Constant): VariableStatementStructure {
  return {
    kind: StructureKind.VariableStatement,
    isExported: exported,
    declarationKind: VariableDeclarationKind.Const,
    declarations: [{ name, initializer, ...(type !== undefined && { type }) }],
    ...documented(docs),
  };
}

/** A constant whose value is a list with an entry for each item; {@link entryFunction} goes before it. */
export function listConstant(
  { name, entryType, docs }: { name: string; entryType: string; docs: string },
  entries: readonly ListEntry[],
): ListConstant {
  const callee = `entry<${entryType}>`;
  const called = (entry: ListEntry): string => `${callee}(${expressionOf(entry)})`;
  return {
    list: constant({ name, type: `readonly ${entryType}[]`, initializer: "[]", docs }),
    entries: entries.map((entry): ListEntry => {
      if (typeof entry === "string") return called(entry);
      if (isTree(entry)) return { tree: () => callOf(callee, [entry.tree()]) };
      return { layout: entry.layout, expression: () => called(entry) };
    }),
  };
}

/** Without it the compiler would compare every two entries of a list, which it gives up at some hundreds. */
export const entryFunction = `/** Gives all entries of a list one type, which is all that the compiler then compares. */
function entry<Entry>(one: Entry): Entry {
  return one;
}`;

export function typeAlias(
  name: string,
  type: string,
  docs?: string,
  typeParameters: readonly string[] = [],
): TypeAliasDeclarationStructure {
  return {
    kind: StructureKind.TypeAlias,
    isExported: true,
    name,
    type,
    typeParameters: [...typeParameters],
    ...documented(docs),
  };
}

export interface Property {
  readonly name: string;
  readonly type: string;
  readonly docs?: string;
  readonly optional?: boolean;
  readonly readonly?: boolean;
}

export function interfaceOf(
  name: string,
  properties: readonly Property[],
  docs?: string,
): InterfaceDeclarationStructure {
  return {
    kind: StructureKind.Interface,
    isExported: true,
    name,
    properties: properties.map((property) => ({
      name: writeKey(property.name),
      type: property.type,
      hasQuestionToken: property.optional ?? false,
      isReadonly: property.readonly ?? false,
      ...documented(property.docs),
    })),
    ...documented(docs),
  };
}

/** An object literal from entries whose values are expressions already; `{ tools }` for `tools: tools`. */
export function objectLiteral(
  entries: readonly (readonly [key: string, expression: string])[],
): string {
  const written = entries.map(([key, expression]) =>
    key === expression ? key : `${writeKey(key)}: ${expression}`,
  );
  return `{ ${written.join(", ")} }`;
}

export function arrayLiteral(expressions: readonly string[]): string {
  return `[${expressions.join(", ")}]`;
}

/** A union of string literals; `never` for none. */
export function unionOf(literals: readonly string[]): string {
  return literals.length === 0 ? "never" : literals.join(" | ");
}

function documented(docs: string | undefined): { docs?: string[] } {
  return docs === undefined ? {} : { docs: [commentLines(docs).join("\n")] };
}

/** `object.key`, or `object["key"]` where the key is no identifier. */
export function memberOf(object: string, key: string): string {
  const written = writeKey(key);
  return written === key ? `${object}.${key}` : `${object}[${writeString(key)}]`;
}
