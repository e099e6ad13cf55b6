import type {
  ExportDeclarationStructure,
  ImportDeclarationStructure,
  InterfaceDeclarationStructure,
  TypeAliasDeclarationStructure,
  VariableStatementStructure,
} from "ts-morph";
import { StructureKind } from "../../text/structure-kinds.js";
import {
  expressionOf,
  isLaidOut,
  isList,
  isTree,
  type FileStatement,
  type FileStatements,
  type ListEntry,
  type Piece,
} from "../file-pieces.js";
import type { Expression } from "./expression.js";
import { layOutConstant } from "./lay-out-constant.js";
import { layOutElement } from "./lay-out-expression.js";
import { layOutInterface } from "./lay-out-interface.js";
import { layOutTestStatement } from "./lay-out-test-statement.js";
import { layOutExport, layOutImport } from "./lay-out-links.js";
import { layOutTypeAlias } from "./lay-out-type-alias.js";

/**
 * The layout of a piece of which a large server has thousands, as prettier would give it: that takes
 * prettier milliseconds for each. `undefined` where only prettier knows it.
 */
export function ownLayout(piece: Piece): string | undefined {
  if (piece.kind === "entry") return layOutElement(treeOrSource(piece.entry), "  ");
  return piece.kind === "statement" ? statementsLayout(piece.statements) : undefined;
}

function treeOrSource(entry: ListEntry): Expression | string {
  return isTree(entry) ? entry.tree() : expressionOf(entry);
}

function statementsLayout(statements: FileStatements): string | undefined {
  const texts = statements.map(statementLayout);
  return texts.includes(undefined) ? undefined : texts.join("\n");
}

function statementLayout(statement: FileStatement): string | undefined {
  if (typeof statement === "string") return layOutTestStatement(statement);
  if (isList(statement) || isLaidOut(statement)) return undefined;
  switch (statement.kind) {
    case StructureKind.Interface:
      return layOutInterface(statement as InterfaceDeclarationStructure);
    case StructureKind.TypeAlias:
      return layOutTypeAlias(statement as TypeAliasDeclarationStructure);
    case StructureKind.ImportDeclaration:
      return layOutImport(statement as ImportDeclarationStructure);
    case StructureKind.ExportDeclaration:
      return layOutExport(statement as ExportDeclarationStructure);
    case StructureKind.VariableStatement:
      return layOutConstant(statement as VariableStatementStructure);
    default:
      return undefined;
  }
}
