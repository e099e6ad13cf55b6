/**
 * Returns advice about functions of `src/context.ts` whose names resemble the name of a missing export. The
 * compiler cannot find them, since a module may export any name.
 *
 * @param calledExports The names of the exports that the server calls.
 */
export function adviceOnExports(context: object, calledExports: readonly string[]): string[] {
  const missing = calledExports.filter((name) => !Object.hasOwn(context, name));
  return Object.entries(context).flatMap(([name, value]) => {
    if (typeof value !== "function") return [];
    const intendedName = missing.find((other) =>
      isSimilar(name.toLowerCase(), other.toLowerCase()),
    );
    if (intendedName === undefined) return [];
    return `src/context.ts exports ${name}, which the server does not call; did you mean ${intendedName}?`;
  });
}

/**
 * Whether at most `edits` letters were added, removed or replaced: by default one for names under eight letters, else
 * two.
 */
function isSimilar(
  name: string,
  intendedName: string,
  edits = intendedName.length < 8 ? 1 : 2,
): boolean {
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
