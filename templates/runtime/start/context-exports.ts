/** What is called of what `src/context.ts` exports. */
const CALLED = [
  "authenticate",
  "closeServices",
  "createServices",
  "protectedResource",
  "ready",
] as const;

/** An export that nothing calls, and the one that was probably meant. */
export interface MisspeltExport {
  readonly found: string;
  readonly meant: (typeof CALLED)[number];
}

/**
 * The functions of `src/context.ts` that are almost called like one that the server would call, where
 * that one is missing. Types cannot tell: a module may export what it likes.
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
