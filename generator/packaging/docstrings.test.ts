import { fileURLToPath } from "node:url";
import { Node, Project, type Symbol, type Type } from "ts-morph";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../text/package-root.js";

/** What people see of the package in their editor: what its entries export, and what they may pass to it. */

/** The declarations of the built package: what an editor reads, without the bodies of functions. */
const sources = fileURLToPath(new URL("dist/runtime/dist/", packageRoot));

/** The exports of the entries, and the members of their types and parameters, that have no docstring. */
function undocumented(): string[] {
  const project = new Project({
    tsConfigFilePath: fileURLToPath(new URL("tsconfig.json", packageRoot)),
    skipAddingFilesFromTsConfig: true,
  });
  const found = new Set<string>();
  const entries = project.addSourceFilesAtPaths(`${sources}*.d.ts`);
  assert.ok(entries.length > 20, "the package is built");
  for (const entry of entries) {
    for (const [name, declarations] of entry.getExportedDeclarations()) {
      if (!declarations.some(isDocumented)) found.add(`${entry.getBaseName()} ${name}`);
      for (const type of declarations.flatMap(typesShownBy)) {
        for (const member of membersWithin(type, new Set())) {
          if (!member.getDeclarations().some(isDocumented)) found.add(memberName(member));
        }
      }
    }
  }
  return [...found].sort();
}

/** The types whose members people use: of exported types themselves, and of the parameters of functions. */
function typesShownBy(declaration: Node): Type[] {
  if (Node.isFunctionDeclaration(declaration)) {
    return declaration.getParameters().map((parameter) => shownType(parameter.getType()));
  }
  const isType =
    Node.isInterfaceDeclaration(declaration) ||
    Node.isClassDeclaration(declaration) ||
    Node.isTypeAliasDeclaration(declaration);
  return isType ? [shownType(declaration.getType())] : [];
}

/** The type of the elements of a list, or of the result of a function that returns settings. */
function shownType(type: Type): Type {
  const element = type.getArrayElementType();
  if (element !== undefined) return shownType(element);
  const [call] = type.getCallSignatures();
  return call === undefined ? type : call.getReturnType();
}

/** The members of a type, of its members' types, and so on: all that a value of the type may state. */
function membersWithin(type: Type, visited: Set<Type>): Symbol[] {
  if (type.isUnion()) return type.getUnionTypes().flatMap((one) => membersWithin(one, visited));
  if (visited.has(type) || !type.isObject() || isInternal(type)) return [];
  visited.add(type);
  const [place] = type.getSymbol()?.getDeclarations() ?? [];
  return type
    .getProperties()
    .filter(isOurs)
    .flatMap((member) => {
      const [declaration = place] = member.getDeclarations();
      if (declaration === undefined) return [member];
      const value = member.getTypeAtLocation(declaration);
      return [member, ...membersWithin(value.getArrayElementType() ?? value, visited)];
    })
    .filter((member) => !isInline(member));
}

/** Whether the type of a member's holder has no name. What has such a type says what its members are. */
function isInline(member: Symbol): boolean {
  return member.getDeclarations().every((one) => Node.isTypeLiteral(one.getParent()));
}

/** Whether people get values of a type from the runtime, and never state one. */
function isInternal(type: Type): boolean {
  const name = (type.getAliasSymbol() ?? type.getSymbol())?.getName() ?? "";
  return ["Server", "StatedDefinition", "ServerDefinition"].includes(name);
}

/** Whether a member is the runtime's own, and not one that a class inherits, such as the name of an error. */
function isOurs(member: Symbol): boolean {
  if (member.getName().startsWith("#")) return false;
  return member
    .getDeclarations()
    .some(
      (declaration) =>
        declaration.getSourceFile().getFilePath().startsWith(sources) &&
        !isInherited(declaration, member.getName()),
    );
}

/** Whether a class that extends another has a member for one that the other has. */
function isInherited(declaration: Node, name: string): boolean {
  const holder = declaration.getParent();
  if (!Node.isClassDeclaration(holder)) return false;
  return holder
    .getType()
    .getBaseTypes()
    .some((base) => base.getProperty(name) !== undefined);
}

function isDocumented(declaration: Node): boolean {
  const holder = Node.isVariableDeclaration(declaration)
    ? declaration.getVariableStatement()
    : declaration;
  if (Node.isSourceFile(declaration)) return true;
  return holder !== undefined && Node.isJSDocable(holder) && holder.getJsDocs().length > 0;
}

function memberName(member: Symbol): string {
  const [declaration] = member.getDeclarations();
  const path = declaration?.getSourceFile().getFilePath().slice(sources.length);
  const holder = declaration?.getParent()?.getSymbol()?.getName();
  return `${path} ${holder}.${member.getName()}`;
}

test("every export of the entries has a docstring, as do the members of its types and parameters", () => {
  assert.equal(undocumented(), []);
});

test.run();
