import type { Change, Plan } from "../../model/plan.js";
import type { Paint } from "../terminal.js";
import { isToCheck, planLines } from "./plan-text.js";

/** Lines of a plan that a log of CI shows. */
const MOST_LINES = 20;

/**
 * Why `check` does not end with 0, for a person who reads the log: what `generate` would write, and
 * apart from it what `generate` alone would not put right. Empty where nothing is pending.
 *
 * @param interrupted a killed run left something to finish
 */
export function checkText(plan: Plan, interrupted: boolean, paint: Paint): string {
  const written = plan.changes.filter(isWritten);
  const kept = plan.changes.filter((change) => isKeptBack(change));
  return [
    ...(interrupted
      ? ["An interrupted run left the project unfinished: run `mcpwright generate`.\n"]
      : []),
    ...section("Not up to date; `mcpwright generate` would write:", written, paint),
    ...section("Needs a person; `mcpwright generate` would leave it as it is:", kept, paint),
  ].join("");
}

/** The lock alone is news only when nothing else would be said. */
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
  const more = lines.length - MOST_LINES;
  const rest = more > 0 ? [`  and ${more} more lines; \`mcpwright plan\` shows them`] : [];
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
  return [`${[heading, ...shown, ...rest].join("\n")}\n`];
}
