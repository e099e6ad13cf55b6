import type { VariableStatementStructure } from "ts-morph";
import { laidOutDocs, type Docs } from "./doc-lines.js";
import { layOutAfter } from "./lay-out-expression.js";
import { LINE_WIDTH } from "./line-width.js";

/** The keys of structures that are understood here. */
const statementKeys: ReadonlySet<string> = new Set(
  "kind isExported declarationKind declarations docs".split(" "),
);
const declarationKeys: ReadonlySet<string> = new Set("name type initializer".split(" "));

/** What a list of handlers is checked against. */
const SATISFIES = / satisfies \{ (\[Name in [\w<>, |"]+\]: \w+<Name>) \}$/;

/**
 * A constant with a literal for its value in prettier's layout.
 *
 * @returns `undefined` where only prettier knows the layout
 */
export function layOutConstant(structure: VariableStatementStructure): string | undefined {
  const { isExported, declarationKind, declarations, docs } = structure;
  const [declaration, ...others] = declarations;
  const isKnown =
    Object.keys(structure).every((key) => statementKeys.has(key)) &&
    (declarationKind as string) === "const" &&
    declaration !== undefined &&
    others.length === 0 &&
    Object.keys(declaration).every((key) => declarationKeys.has(key));
  const comment = laidOutDocs(docs as Docs | undefined, "");
  if (!isKnown || comment === undefined) return undefined;
  const { name, type, initializer } = declaration;
  if (typeof initializer !== "string" || !/^(undefined|\w+)$/.test(String(type))) return undefined;
  const typed = type === undefined ? "" : `: ${String(type)}`;
  const opening = `${isExported === true ? "export " : ""}const ${name}${typed} = `;
  const value = valueAfter(opening, initializer);
  return value === undefined ? undefined : `${comment}${opening}${value};`;
}

/** Only objects: what else does not fit on the line may move to the next. */
function valueAfter(opening: string, initializer: string): string | undefined {
  if (!initializer.startsWith("{ ") || opening.length >= LINE_WIDTH) return undefined;
  const [checked = "", member = ""] = SATISFIES.exec(initializer) ?? [];
  const source = initializer.slice(0, initializer.length - checked.length);
  const value = layOutAfter(opening, source);
  if (checked === "" || value === undefined) return value;
  const fits = (line: string): boolean => line.length <= LINE_WIDTH;
  if (value.endsWith("\n}")) return fits(`}${checked};`) ? value + checked : undefined;
  if (fits(`${opening}${value}${checked};`)) return value + checked;
  // The type is broken first.
  const above = `${value} satisfies {`;
  const isWithin = fits(opening + above) && fits(`  ${member};`);
  return isWithin ? `${above}\n  ${member};\n}` : undefined;
}
