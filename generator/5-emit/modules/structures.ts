import type { ExportDeclarationStructure, ImportDeclarationStructure } from "ts-morph";
import { callOf, listOf, membersOf, movable, sequenceOf, type Code } from "../../text/code.js";
import { commentLines, writeKey, writeString } from "../../text/literal.js";
import { StructureKind } from "../../text/structure-kinds.js";
import type { Declaration } from "../declaration.js";

/** Short makers of the statements that generated modules are built from. */

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
  readonly value: Code;
  readonly docs?: string;
  readonly exported?: boolean;
}

export function constant({ name, type, value, docs, exported = true }: Constant): Declaration {
  const typed = type === undefined ? name : `${name}: ${type}`;
  const opening = `${exported ? "export " : ""}const ${typed} = `;
  return { name, docs: docLines(docs), code: sequenceOf([opening, value, ";"]) };
}

/** A constant whose value is a list with an entry for each item; {@link entryFunction} goes before it. */
export function listConstant(
  { name, entryType, docs }: { name: string; entryType: string; docs: string },
  entries: readonly Code[],
): Declaration {
  const value = listOf(entries.map((entry) => callOf(`entry<${entryType}>`, [entry])));
  return constant({ name, type: `readonly ${entryType}[]`, value, docs });
}

/** Without it the compiler would compare every two entries of a list, which it gives up at some hundreds. */
export const entryFunction = `/** Gives all entries of a list one type, which is all that the compiler then compares. */
function entry<Entry>(one: Entry): Entry {
  return one;
}`;

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

/** A function that imports a module when it is called, and gives what the module exports under a name. */
export function lateImport(module: string, name: string): Code {
  return sequenceOf(["async () => ", movable(`(await import("${module}")).${name}`)]);
}

/** `object.key`, or `object["key"]` where the key is no identifier. */
export function memberOf(object: string, key: string): string {
  const written = writeKey(key);
  return written === key ? `${object}.${key}` : `${object}[${writeString(key)}]`;
}
