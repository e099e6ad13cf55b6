import type { ExportDeclarationStructure, ImportDeclarationStructure } from "ts-morph";
import { LINE_WIDTH } from "./line-width.js";

/** The keys of structures that are understood here. */
const importKeys: ReadonlySet<string> = new Set(
  "kind moduleSpecifier namedImports namespaceImport isTypeOnly".split(" "),
);
const exportKeys: ReadonlySet<string> = new Set(
  "kind moduleSpecifier namedExports isTypeOnly".split(" "),
);

/** An import in prettier's layout; `undefined` where only prettier knows it. */
export function layOutImport(structure: ImportDeclarationStructure): string | undefined {
  const { moduleSpecifier, namedImports, namespaceImport, isTypeOnly } = structure;
  if (!Object.keys(structure).every((key) => importKeys.has(key))) return undefined;
  const opening = isTypeOnly === true ? "import type" : "import";
  if (namespaceImport === undefined) return link(opening, namedImports, moduleSpecifier);
  if (namedImports !== undefined) return undefined;
  const line = `${opening} * as ${namespaceImport} from "${moduleSpecifier}";`;
  return written([line], moduleSpecifier);
}

/** A re-export in prettier's layout; `undefined` where only prettier knows it. */
export function layOutExport(structure: ExportDeclarationStructure): string | undefined {
  const { moduleSpecifier = "", namedExports, isTypeOnly } = structure;
  if (!Object.keys(structure).every((key) => exportKeys.has(key))) return undefined;
  return link(isTypeOnly === true ? "export type" : "export", namedExports, moduleSpecifier);
}

function link(opening: string, names: unknown, module: string): string | undefined {
  if (!Array.isArray(names) || names.length === 0) return undefined;
  const texts = (names as readonly unknown[]).map(nameOf);
  if (texts.includes(undefined)) return undefined;
  const line = `${opening} { ${texts.join(", ")} } from "${module}";`;
  if (line.length <= LINE_WIDTH || names.length === 1) return written([line], module);
  const lines = texts.map((name) => `  ${name},`);
  return written([`${opening} {`, ...lines, `} from "${module}";`], module);
}

/** Only names such as `name`, `type name` and `name as other`, written as one. */
function nameOf(specifier: unknown): string | undefined {
  if (typeof specifier !== "object" || specifier === null) return undefined;
  const [[key, name] = [], ...others] = Object.entries(specifier);
  const isPlain = typeof name === "string" && /^(type )?[\w$]+( as [\w$]+)?$/.test(name);
  return key === "name" && others.length === 0 && isPlain ? name : undefined;
}

/** Within the width, and the module's name in the quotes that it has. */
function written(lines: readonly string[], module: string): string | undefined {
  const fits = lines.every((line) => line.length <= LINE_WIDTH) && /^[ !#-[\]-~]*$/.test(module);
  return fits ? lines.join("\n") : undefined;
}
