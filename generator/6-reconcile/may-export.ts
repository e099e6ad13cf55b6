const DECLARATION = "(?:const|let|var|(?:async\\s+)?function|(?:abstract\\s+)?class)";

/**
 * Whether a module may export `name`, found out without a compiler: the quick look of a run that has
 * nothing to do. False where a declaration has to be read to know.
 */
export function mayExport(source: string, name: string): boolean {
  if (isWrittenAsGenerated(source, name)) return true;
  const identifier = name.replaceAll("$", "\\$");
  const declared = new RegExp(`\\bexport\\s+${DECLARATION}\\s+${identifier}(?![\\w$])`);
  return (
    declared.test(source) || /\bexport\s*\*/.test(source) || isInExportList(source, identifier)
  );
}

/** Most are `export const name`, for which an expression of each name would take longer to make than to read. */
function isWrittenAsGenerated(source: string, name: string): boolean {
  const declaration = `export const ${name}`;
  const at = source.indexOf(declaration);
  if (at === -1) return false;
  const isWhole = !/[\w$]/.test(source.charAt(at + declaration.length));
  return isWhole && !/\w/.test(source.charAt(at - 1));
}

function isInExportList(source: string, identifier: string): boolean {
  const name = new RegExp(`(?<![\\w$])${identifier}(?![\\w$])`);
  const opening = /\bexport\s*\{/g;
  for (let match = opening.exec(source); match !== null; match = opening.exec(source)) {
    const end = source.indexOf("}", match.index);
    if (end === -1) return false;
    if (name.test(source.slice(match.index, end))) return true;
    opening.lastIndex = end;
  }
  return false;
}
