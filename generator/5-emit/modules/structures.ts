import type { ExportDeclarationStructure, ImportDeclarationStructure } from "ts-morph";
import { membersOf, movable, sequenceOf, type Code } from "../../text/code.js";
import { commentLines, writeKey, writeString } from "../../text/literal.js";
import { StructureKind } from "../../text/structure-kinds.js";
import type { Declaration } from "../declaration.js";

/** Short functions that make the statements of generated modules. */

/** `import { names } from "module"`. */
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

/** `import type { names } from "module"`. */
export function importTypes(
  moduleSpecifier: string,
  names: readonly string[],
): ImportDeclarationStructure {
  return { ...importOf(moduleSpecifier, names), isTypeOnly: true };
}

/** `import { names, type T } from "module"`, with sorted names. */
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

/** `import name from "module"`. */
export function importDefault(moduleSpecifier: string, name: string): ImportDeclarationStructure {
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier, defaultImport: name };
}

/** `import * as name from "module"`. */
export function importNamespace(moduleSpecifier: string, name: string): ImportDeclarationStructure {
  return { kind: StructureKind.ImportDeclaration, moduleSpecifier, namespaceImport: name };
}

/** `export { names } from "module"`. */
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

/** `export * from "module"`. */
export function exportAll(moduleSpecifier: string): ExportDeclarationStructure {
  return { kind: StructureKind.ExportDeclaration, moduleSpecifier };
}

/** `export type * from "module"`. */
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

/** The declaration of a constant. It is exported unless the caller says otherwise. */
export function constant({ name, type, value, docs, exported = true }: Constant): Declaration {
  const opening = `${exported ? "export " : ""}const ${name}`;
  const annotation = type === undefined ? [] : [": ", type];
  const code = sequenceOf([opening, ...annotation, " = ", value, ";"]);
  return { name, docs: docLines(docs), code };
}

/** The declaration of an exported type alias. */
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

/** A member of an interface. */
export interface Property {
  readonly name: string;
  readonly type: Code;
  readonly docs?: string;
  readonly optional?: boolean;
  readonly readonly?: boolean;
}

/** The declaration of an exported interface. */
export function interfaceOf(
  name: string,
  properties: readonly Property[],
  docs?: string,
): Declaration {
  const members = properties.map((property) => ({
    name: `${property.readonly ? "readonly " : ""}${writeKey(property.name)}${property.optional ? "?" : ""}`,
    type: property.type,
    docs: docLines(property.docs),
  }));
  const code = sequenceOf([`export interface ${name} `, membersOf(members)]);
  return { name, docs: docLines(docs), code };
}

function docLines(docs: string | undefined): readonly string[] {
  return docs === undefined ? [] : commentLines(docs);
}

/**
 * A function that imports a module when it is called, and returns one of its exports.
 *
 * @param exported name of the export, or an expression that starts with it
 */
export function lateImport(module: string, exported: string): Code {
  return sequenceOf(["async () => ", movable(`(await import("${module}")).${exported}`)]);
}

/** `object.key`, or `object["key"]` if the key is not an identifier. */
export function memberOf(object: string, key: string): string {
  return writeKey(key) === key ? `${object}.${key}` : `${object}[${writeString(key)}]`;
}
