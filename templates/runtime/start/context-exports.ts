/** The exports of `src/context.ts` that the server calls. */
const CALLED_EXPORTS = [
  "authenticate",
  "closeServices",
  "createServices",
  "protectedResource",
  "ready",
] as const;

/** An export with a misspelt name, and the name that the developer probably intendedName. */
export interface MisspeltExport {
  readonly name: string;
  readonly intendedName: (typeof CALLED_EXPORTS)[number];
}

/**
 * Finds functions of `src/context.ts` whose names resemble the name of a missing export. The compiler cannot
 * find them, since a module may export any name.
 */
export function misspeltExports(context: object): MisspeltExport[] {
  const missing = CALLED_EXPORTS.filter((name) => !Object.hasOwn(context, name));
  return Object.entries(context).flatMap(([name, value]) => {
    if (typeof value !== "function") return [];
    const intendedName = missing.find((other) =>
      isSimilar(name.toLowerCase(), other.toLowerCase()),
    );
    return intendedName === undefined ? [] : [{ name, intendedName }];
  });
}

/** Whether at most `edits` letters were added, removed or replaced between the two names. */
function isSimilar(name: string, intendedName: string, edits = 2): boolean {
  if (name === intendedName) return true;
  if (edits === 0 || Math.abs(name.length - intendedName.length) > edits) return false;
  if (name[0] !== undefined && name[0] === intendedName[0]) {
    return isSimilar(name.slice(1), intendedName.slice(1), edits);
  }
  return (
    isSimilar(name.slice(1), intendedName, edits - 1) ||
    isSimilar(name, intendedName.slice(1), edits - 1) ||
    isSimilar(name.slice(1), intendedName.slice(1), edits - 1)
  );
}
