import type {
  InterfaceDeclarationStructure,
  JSDocStructure,
  OptionalKind,
  PropertySignatureStructure,
  TypeAliasDeclarationStructure,
} from "ts-morph";
import { StructureKind } from "../../text/structure-kinds.js";
import type { AliasText, InterfaceText, TypeDeclaration } from "./emit-types.js";

/** The ts-morph structure of an emitted type: an exported interface or type alias. */
export function typeStructure(
  declaration: TypeDeclaration,
): InterfaceDeclarationStructure | TypeAliasDeclarationStructure {
  return declaration.kind === "interface"
    ? interfaceStructure(declaration)
    : aliasStructure(declaration);
}

function interfaceStructure(text: InterfaceText): InterfaceDeclarationStructure {
  const properties: OptionalKind<PropertySignatureStructure>[] = text.properties.map(
    ({ name, type, optional, docs }) => ({
      name,
      type,
      hasQuestionToken: optional,
      docs: comment(docs),
    }),
  );
  // As a property, since ts-morph would write an index signature before the properties.
  if (text.index !== undefined) properties.push({ name: "[key: string]", type: text.index });
  return {
    kind: StructureKind.Interface,
    name: text.name,
    isExported: true,
    docs: comment(text.docs),
    properties,
  };
}

function aliasStructure({ name, docs, type }: AliasText): TypeAliasDeclarationStructure {
  return { kind: StructureKind.TypeAlias, name, isExported: true, docs: comment(docs), type };
}

const comment = (lines: readonly string[]): OptionalKind<JSDocStructure>[] =>
  lines.length === 0 ? [] : [{ description: lines.join("\n") }];
