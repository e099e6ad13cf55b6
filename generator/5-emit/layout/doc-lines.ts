/** As structures of ts-morph carry them. */
export type Docs = readonly (string | { readonly description?: unknown })[];

/**
 * The comment above a statement or a member, with a line end.
 *
 * @returns `""` for none, and `undefined` where only prettier knows the layout
 */
export function laidOutDocs(docs: Docs | undefined, indentation: string): string | undefined {
  const [doc, ...others] = docs ?? [];
  if (doc === undefined) return "";
  const text = typeof doc === "string" ? doc : doc.description;
  if (others.length > 0 || typeof text !== "string") return undefined;
  const lines = text.split("\n");
  const [first = ""] = lines;
  if (first.trim() === "" || lines.some((line) => line !== line.trimEnd())) return undefined;
  if (lines.length === 1) return `${indentation}/** ${first} */\n`;
  const inner = lines.map((line) => `${indentation} *${line === "" ? "" : ` ${line}`}\n`);
  return `${indentation}/**\n${inner.join("")}${indentation} */\n`;
}
