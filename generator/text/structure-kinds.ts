import type { StructureKind as Kind } from "ts-morph";

/**
 * The kinds of ts-morph's structures that modules are made of. They are written out, so that a run that
 * prints nothing does not load ts-morph; the types say that they are its values.
 */
export const StructureKind: {
  readonly [Name in "ExportDeclaration" | "Function" | "ImportDeclaration"]: (typeof Kind)[Name];
} = { ExportDeclaration: 11, Function: 13, ImportDeclaration: 16 };
