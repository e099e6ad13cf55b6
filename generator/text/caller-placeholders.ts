/** The word before everything that placeholders can say of the caller. */
const CALLER = "caller";

/** The placeholder of the caller's name. */
export const CALLER_SUBJECT = `${CALLER}.subject`;

const CLAIM_PREFIX = `${CALLER}.claims.`;

/** True for names that belong to the caller, so that no argument can have them: `caller`, `caller.subject`. */
export function isOfCaller(name: string): boolean {
  return name === CALLER || name.startsWith(`${CALLER}.`);
}

/** The placeholder of a claim. */
export function claimPlaceholder(claim: string): string {
  return CLAIM_PREFIX + claim;
}

/** The claim that a placeholder names; undefined if it names none. */
export function claimIn(name: string): string | undefined {
  return name.startsWith(CLAIM_PREFIX) ? name.slice(CLAIM_PREFIX.length) : undefined;
}

/** The names of all placeholders about the caller. */
export function callerPlaceholders(claims: object): string[] {
  return [CALLER_SUBJECT, ...Object.keys(claims).map(claimPlaceholder)];
}

/** True if a text of a body may have a placeholder about the caller. */
export function mentionsCaller(body: object): boolean {
  return JSON.stringify(body).includes(`${CALLER}.`);
}

/** A placeholder about the caller in JSON. Of four braces, the first two are a literal. */
const IN_JSON = /(?<!\{)\{\{[#^]?(caller\.(?:subject|claims\.[^\s{}]+))\}\}/g;

/** The names of the placeholders about the caller in the texts of a body, each once. */
export function callerPlaceholdersIn(body: object): string[] {
  const found = [...JSON.stringify(body).matchAll(IN_JSON)].map(([, name = ""]) => name);
  return [...new Set(found)];
}

/** The names of what `role` and `set` of a statement take of its caller, each once: `caller.claims.role`. */
export function callerNamesIn(statement: object): string[] {
  const { role, set } = statement as Record<"role" | "set", unknown>;
  const values = [role, ...Object.values(set ?? {})] as ({ claim?: unknown } | undefined)[];
  const names = values.flatMap((value) => {
    if (value === undefined || value === null) return [];
    return typeof value.claim === "string" ? claimPlaceholder(value.claim) : CALLER_SUBJECT;
  });
  return [...new Set(names)];
}
