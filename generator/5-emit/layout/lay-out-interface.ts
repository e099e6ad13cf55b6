import type { InterfaceDeclarationStructure, PropertySignatureStructure } from "ts-morph";
import { onceForEach } from "../../model/once-for-each.js";
import { laidOutDocs, type Docs } from "./doc-lines.js";
import { LINE_WIDTH } from "./line-width.js";
import { readName, readType, type MemberType } from "./type-expression.js";

/** The keys of structures that are understood here. */
const interfaceKeys: ReadonlySet<string> = new Set(
  "kind isExported name docs properties".split(" "),
);
const propertyKeys: ReadonlySet<string> = new Set(
  "name type docs hasQuestionToken isReadonly".split(" "),
);

/**
 * An exported interface in prettier's layout.
 *
 * @returns `undefined` where only prettier knows the layout
 */
export function layOutInterface(structure: InterfaceDeclarationStructure): string | undefined {
  const { name, isExported, docs, properties = [] } = structure;
  const opening = `export interface ${name} {`;
  const isKnown = Object.keys(structure).every((key) => interfaceKeys.has(key)) && isExported;
  if (!isKnown || opening.length > LINE_WIDTH) return undefined;
  const comment = laidOutDocs(docs as Docs | undefined, "");
  if (comment === undefined) return undefined;
  const lines = propertyTexts(properties as readonly PropertySignatureStructure[]);
  if (lines.includes(undefined)) return undefined;
  const members = lines.length === 0 ? "" : `\n${lines.join("\n")}\n`;
  return `${comment}${opening}${members}}`;
}

/** Many interfaces may have the same properties. */
const propertyTexts = onceForEach((properties: readonly PropertySignatureStructure[]) =>
  properties.map(propertyText),
);

function propertyText(property: PropertySignatureStructure): string | undefined {
  const { name, type, docs, hasQuestionToken, isReadonly } = property;
  const isKnown = Object.keys(property).every((key) => propertyKeys.has(key));
  const comment = laidOutDocs(docs as Docs | undefined, "  ");
  const read = typeof type === "string" ? (readName(type) ?? readType(type)) : undefined;
  if (!isKnown || comment === undefined || read === undefined || !isPlainName(name)) {
    return undefined;
  }
  const key = `${isReadonly === true ? "readonly " : ""}${name}${hasQuestionToken === true ? "?" : ""}`;
  const member = memberText({ docs: [], key, type: read }, "  ");
  return member === undefined ? undefined : comment + member;
}

/** Prettier takes the quotes from some names with other letters. */
function isPlainName(name: string): boolean {
  return /^[\w$]+$|^"[^"\\]*"$|^\[key: string\]$/.test(name) && /^[ -~]*$/.test(name);
}

function memberText({ docs, key, type }: MemberType, indentation: string): string | undefined {
  const comment = docs.map((line) => `${indentation}${line}\n`).join("");
  const typed = typeText({ key, type }, indentation);
  return typed === undefined ? undefined : `${comment}${indentation}${key}:${typed};`;
}

/** What follows the colon. */
function typeText(
  { key, type }: Pick<MemberType, "key" | "type">,
  indentation: string,
): string | undefined {
  const column = indentation.length + key.length + 2;
  if (type.kind === "object") {
    const members = type.members.map((member) => memberText(member, `${indentation}  `));
    if (members.includes(undefined) || column + 1 > LINE_WIDTH) return undefined;
    return ` {\n${members.join("\n")}\n${indentation}}${type.suffix}`;
  }
  const line = type.members.join(" | ");
  if (column + line.length + 1 <= LINE_WIDTH) return ` ${line}`;
  // Below a key in quotes, prettier may put the whole union on a line of its own.
  if (type.members.length === 1 || key.includes('"')) return undefined;
  const lines = type.members.map((member) => `\n${indentation}  | ${member}`);
  return lines.every((text) => text.length <= LINE_WIDTH) ? lines.join("") : undefined;
}
