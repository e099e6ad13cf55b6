import {
  StructureKind,
  type InterfaceDeclarationStructure,
  type TypeAliasDeclarationStructure,
} from "ts-morph";
import type { TypeDeclaration } from "../types/emit-types.js";

/** The structure of a type that was made from a schema; its names and docs are safe as they stand. */
export function typeDeclaration(
  declaration: TypeDeclaration,
): InterfaceDeclarationStructure | TypeAliasDeclarationStructure {
  const { name } = declaration;
  const head = { isExported: true, name, docs: docsOf(declaration.docs) };
  if (declaration.kind === "alias") {
    return { kind: StructureKind.TypeAlias, ...head, type: declaration.type };
  }
  const { properties, index } = declaration;
  return {
    kind: StructureKind.Interface,
    ...head,
    properties: properties.map((property) => ({
      name: property.name,
      type: property.type,
      hasQuestionToken: property.optional,
      docs: docsOf(property.docs),
    })),
    indexSignatures:
      index === undefined ? [] : [{ keyName: "key", keyType: "string", returnType: index }],
  };
}

function docsOf(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [lines.join("\n")];
}
