/** The exports of `src/context.ts` that the server calls. */
const CALLED = [
  "authenticate",
  "closeServices",
  "createServices",
  "protectedResource",
  "ready",
] as const;

/** An export with a misspelt name, and the name that was probably meant. */
export interface MisspeltExport {
  readonly found: string;
  readonly meant: (typeof CALLED)[number];
}

/**
 * Finds functions of `src/context.ts` whose names are almost those of missing exports. The compiler cannot: a
 * module may export anything.
 */
export function misspeltExports(context: object): MisspeltExport[] {
  const missing = CALLED.filter((name) => !Object.hasOwn(context, name));
  return Object.entries(context).flatMap(([found, value]) => {
    if (typeof value !== "function") return [];
    const meant = missing.find((name) => isSlip(found.toLowerCase(), name.toLowerCase()));
    return meant === undefined ? [] : [{ found, meant }];
  });
}

/** Whether two names are two slips apart at most, each a letter too many, missing or wrong. */
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
