/** The maximum nesting of what other services send. Code that goes through deeper values would exhaust the stack. */
export const MAX_DEPTH = 500;

/** Whether a value of JSON is nested deeper than {@link MAX_DEPTH} levels. Goes through it without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== "object" || node === null) continue;
      for (const key in node) {
        const child = (node as Readonly<Record<string, unknown>>)[key];
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}
