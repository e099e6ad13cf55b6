/** The exports of `src/context.ts` that the server calls. */
const CALLED = [
  "authenticate",
  "closeServices",
  "createServices",
  "protectedResource",
  "ready",
] as const;

/** An export with a misspelt name, and the name that the developer probably meant. */
export interface MisspeltExport {
  readonly found: string;
  readonly meant: (typeof CALLED)[number];
}

/**
 * Finds functions of `src/context.ts` whose names resemble the name of a missing export. The compiler cannot
 * find them, since a module may export any name.
 */
export function misspeltExports(context: object): MisspeltExport[] {
  const missing = CALLED.filter((name) => !Object.hasOwn(context, name));
  return Object.entries(context).flatMap(([found, value]) => {
    if (typeof value !== "function") return [];
    const meant = missing.find((name) => isSlip(found.toLowerCase(), name.toLowerCase()));
    return meant === undefined ? [] : [{ found, meant }];
  });
}

/** Whether at most `slips` letters were added, left out or replaced between the two names. */
function isSlip(found: string, meant: string, slips = 2): boolean {
  if (found === meant) return true;
  if (slips === 0 || Math.abs(found.length - meant.length) > slips) return false;
  if (found[0] !== undefined && found[0] === meant[0]) {
    return isSlip(found.slice(1), meant.slice(1), slips);
  }
  return (
    isSlip(found.slice(1), meant, slips - 1) ||
    isSlip(found, meant.slice(1), slips - 1) ||
    isSlip(found.slice(1), meant.slice(1), slips - 1)
  );
}
