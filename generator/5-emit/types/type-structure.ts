import type {
  InterfaceDeclarationStructure,
  JSDocStructure,
  OptionalKind,
  PropertySignatureStructure,
  TypeAliasDeclarationStructure,
} from "ts-morph";
import { onceForEach } from "../../model/once-for-each.js";
import { StructureKind } from "../../text/structure-kinds.js";
import type { AliasText, InterfaceText, TypeDeclaration } from "./emit-types.js";
import type { PropertyText } from "./type-printer.js";

/** The ts-morph structure of an emitted type: an exported interface or type alias. */
export function typeStructure(
  declaration: TypeDeclaration,
): InterfaceDeclarationStructure | TypeAliasDeclarationStructure {
  return declaration.kind === "interface"
    ? interfaceStructure(declaration)
    : aliasStructure(declaration);
}

function interfaceStructure(text: InterfaceText): InterfaceDeclarationStructure {
  return {
    kind: StructureKind.Interface,
    name: text.name,
    isExported: true,
    docs: comment(text.docs),
    properties: propertyStructures(text),
  };
}

function propertyStructures({
  properties,
  index,
}: InterfaceText): OptionalKind<PropertySignatureStructure>[] {
  const structures = structuresOf(properties);
  // As a property, since ts-morph would write an index signature before the properties.
  return index === undefined ? structures : [...structures, { name: "[key: string]", type: index }];
}

/** Many types may have the same properties. */
const structuresOf = onceForEach((properties: readonly PropertyText[]) =>
  properties.map(({ name, type, optional, docs }): OptionalKind<PropertySignatureStructure> => {
    return { name, type, hasQuestionToken: optional, docs: comment(docs) };
  }),
);

function aliasStructure({ name, docs, type }: AliasText): TypeAliasDeclarationStructure {
  return { kind: StructureKind.TypeAlias, name, isExported: true, docs: comment(docs), type };
}

const comment = (lines: readonly string[]): OptionalKind<JSDocStructure>[] =>
  lines.length === 0 ? [] : [{ description: lines.join("\n") }];
