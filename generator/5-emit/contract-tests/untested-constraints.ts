import type { LeftOutConstraint } from "../../schema/instances/make-instances.js";

/** The most constraints that are named one by one, of those that are left out for one reason. */
const MOST_NAMED = 5;

/**
 * The constraints without a test, with the reasons. Of a large schema there may be thousands.
 * @param part the schema to which they belong
 */
export function untestedConstraints(
  part: "input" | "output" | "schema",
  leftOut: readonly LeftOutConstraint[] = [],
): string[] {
  const byReason = new Map<string, string[]>();
  for (const { constraint, reason } of leftOut) {
    const constraints = byReason.get(reason) ?? [];
    byReason.set(reason, constraints);
    constraints.push(constraint);
  }
  return [...byReason].flatMap(([reason, constraints]) => {
    const named = constraints.slice(0, MOST_NAMED).map((one) => `${part} ${one}: ${reason}`);
    const more = constraints.length - named.length;
    return more === 0 ? named : [...named, `${part}, ${more} more: ${reason}`];
  });
}
