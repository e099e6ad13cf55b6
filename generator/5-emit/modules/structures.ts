import type { ExportDeclarationStructure, ImportDeclarationStructure } from "ts-morph";
import { membersOf, movable, sequenceOf, type Code } from "../../text/code.js";
import { commentLines, writeKey, writeString } from "../../text/literal.js";
import { StructureKind } from "../../text/structure-kinds.js";
import type { Declaration } from "../declaration.js";

/** Short functions that make the statements of generated modules. */

/** `import * as context from "./context.ts"`. */
export function importAll(module: string, name: string): ImportDeclarationStructure {
  return {
    kind: StructureKind.ImportDeclaration,
    namespaceImport: name,
    moduleSpecifier: module,
  };
}

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

/** The imports of the code of an item: these names in their order, and its type. */
export function importWithType(
  moduleSpecifier: string,
  names: Iterable<string>,
  type: string,
): ImportDeclarationStructure {
  const sorted = [...new Set(names)].sort(byLetters);
  return sorted.length === 0
    ? importTypes(moduleSpecifier, [type])
    : importOf(moduleSpecifier, [...sorted, `type ${type}`]);
}

const byLetters = (one: string, other: string): number =>
  one.toLowerCase() < other.toLowerCase() ? -1 : 1;

export function importDefault(moduleSpecifier: string, name: string): ImportDeclarationStructure {
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier, defaultImport: name };
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

export function exportAllTypes(moduleSpecifier: string): ExportDeclarationStructure {
  return { kind: StructureKind.ExportDeclaration, moduleSpecifier, isTypeOnly: true };
}

interface Constant {
  readonly name: string;
  readonly type?: Code;
  readonly value: Code;
  readonly docs?: string;
  readonly exported?: boolean;
}

export function constant({ name, type, value, docs, exported = true }: Constant): Declaration {
  const opening = `${exported ? "export " : ""}const ${name}`;
  const typed = type === undefined ? [] : [": ", type];
  return { name, docs: docLines(docs), code: sequenceOf([opening, ...typed, " = ", value, ";"]) };
}

export function typeAlias(
  name: string,
  type: Code,
  docs?: string,
  typeParameters: readonly string[] = [],
): Declaration {
  const parameters = typeParameters.length === 0 ? "" : `<${typeParameters.join(", ")}>`;
  const movableType = typeof type === "string" ? movable(type) : type;
  const code = sequenceOf([`export type ${name}${parameters} = `, movableType, ";"]);
  return { name, docs: docLines(docs), code };
}

export interface Property {
  readonly name: string;
  readonly type: Code;
  readonly docs?: string;
  readonly optional?: boolean;
  readonly readonly?: boolean;
}

export function interfaceOf(
  name: string,
  properties: readonly Property[],
  docs?: string,
): Declaration {
  const members = properties.map(({ name: key, type, optional, readonly, docs: about }) => ({
    name: `${readonly ? "readonly " : ""}${writeKey(key)}${optional ? "?" : ""}`,
    type,
    docs: docLines(about),
  }));
  const code = sequenceOf([`export interface ${name} `, membersOf(members)]);
  return { name, docs: docLines(docs), code };
}

function docLines(docs: string | undefined): readonly string[] {
  return docs === undefined ? [] : commentLines(docs);
}

/**
 * A function that imports a module when it is called, and returns its export.
 * @param exported An expression that begins with the name of the export.
 */
export function lateImport(module: string, exported: string): Code {
  return sequenceOf(["async () => ", movable(`(await import("${module}")).${exported}`)]);
}

/** `object.key`, or `object["key"]` where the key is no identifier. */
export function memberOf(object: string, key: string): string {
  const written = writeKey(key);
  return written === key ? `${object}.${key}` : `${object}[${writeString(key)}]`;
}
