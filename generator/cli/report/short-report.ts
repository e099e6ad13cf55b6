import type { Change, Plan } from "../../model/plan.js";

/** The parts of a plan's report that grow with the project, without those that are left out. */
export interface ShortReport {
  readonly changes: Plan["changes"];
  readonly semantic: Plan["semantic"];
  /** How many changes callers notice, where some of them are left out. */
  readonly noticed?: number;
}

/**
 * The first changes of a plan, those first that a person must look at: what is kept or in conflict, what goes or moves, then
 * what people own. A server of 200 tools has 1,100 changes, which an agent reads for 25,000 tokens.
 *
 * @param maximum of each kind; all without it
 */
export function shortReport({ changes, semantic }: Plan, maximum: number | undefined): ShortReport {
  if (maximum === undefined) return { changes, semantic };
  return {
    changes:
      changes.length <= maximum
        ? changes
        : [...changes].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, maximum),
    semantic: semantic.slice(0, maximum),
    ...(semantic.length > maximum && { noticed: semantic.length }),
  };
}

function rankOf({ op, owner }: Change): number {
  if (op === "conflict" || op === "keep") return 0;
  if (op === "delete" || op === "move") return 1;
  if (owner === "handler") return 2;
  return owner === "generated" || owner === "lock" ? 4 : 3;
}
