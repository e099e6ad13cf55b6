import type { Change, Plan } from "../../model/plan.js";
import type { Paint } from "../terminal.js";
import { isToCheck, planLines } from "./plan-text.js";

/** The most lines of a plan in a log of CI. */
const MOST_LINES = 20;

/**
 * Why `check` does not end with status 0, for a person who reads the log: the files that `generate` would write, and
 * the files that it would leave to a person. Empty if nothing is pending.
 *
 * @param interrupted true if a former run was killed and must be finished
 */
export function checkText(plan: Plan, interrupted: boolean, paint: Paint): string {
  const written = plan.changes.filter(isWritten);
  const leftAlone = plan.changes.filter((change) => isKeptBack(change));
  return [
    ...(interrupted
      ? ["An interrupted run left the project unfinished: run `mcpwright generate`.\n"]
      : []),
    ...section("Not up to date; `mcpwright generate` would write:", written, paint),
    ...section("Needs a person; `mcpwright generate` would leave it as it is:", leftAlone, paint),
  ].join("");
}

/** True if `generate` writes the file. The lock is listed only if it is the only change. */
function isWritten({ op, owner }: Change, _index: number, all: readonly Change[]): boolean {
  if (op === "keep" || op === "conflict") return false;
  return owner !== "lock" || all.length === 1;
}

function isKeptBack(change: Change): boolean {
  return (change.op === "keep" || change.op === "conflict") && !isToCheck(change);
}

function section(heading: string, changes: readonly Change[], paint: Paint): string[] {
  if (changes.length === 0) return [];
  const lines = planLines(changes, paint);
  const omitted = lines.length - MOST_LINES;
  const note = omitted > 0 ? [`  and ${omitted} more lines; \`mcpwright plan\` shows them`] : [];
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
  return [`${[heading, ...shown, ...note].join("\n")}\n`];
}
