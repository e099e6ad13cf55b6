import type { StructureKind as Kind } from "ts-morph";

/**
 * The kinds of ts-morph's structures in generated modules. Their values are copied, so that a run that prints no module
 * does not load ts-morph; the type ensures that they are right.
 */
export const StructureKind: {
  readonly [Name in "ExportDeclaration" | "Function" | "ImportDeclaration"]: (typeof Kind)[Name];
} = { ExportDeclaration: 11, Function: 13, ImportDeclaration: 16 };
