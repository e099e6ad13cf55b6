import { dirname } from "node:path/posix";
import type { Change, Plan } from "../../model/plan.js";
import { printable } from "../../text/printable.js";
import type { Paint, Style } from "../terminal.js";

const signs: Readonly<Record<Change["op"], readonly [sign: string, style: Style]>> = {
  create: ["+", "green"],
  update: ["~", "yellow"],
  delete: ["-", "red"],
  move: ["→", "cyan"],
  keep: ["!", "yellow"],
  conflict: ["!", "red"],
};

/** Shorter runs of generated files are named one by one. */
const shortestGroup = 4;

/**
 * A plan as a person reads it: a line a file, or a line for many generated files of one folder.
 * Empty where nothing would happen.
 */
export function planText(plan: Plan, paint: Paint): string {
  return planLines(plan.changes, paint)
    .map((line) => `${line}\n`)
    .join("");
}

/** The same, of some changes, without ends of lines. */
export function planLines(changes: readonly Change[], paint: Paint): string[] {
  return groups(changes).flatMap((group) => groupLines(group, paint));
}

/** Plain changes of generated files, together by folder and operation; any other change alone. */
function groups(changes: readonly Change[]): Change[][] {
  const byKey = new Map<string, Change[]>();
  for (const change of changes) {
    const { op, path, owner, reason } = change;
    const folder = dirname(path);
    const isPlain = owner === "generated" && reason === undefined && folder !== ".";
    const key = isPlain ? `${op} ${folder}/` : `${op} ${path}`;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [change]);
    else group.push(change);
  }
  return [...byKey.values()];
}

function groupLines(group: readonly Change[], paint: Paint): string[] {
  const [first] = group;
  if (first === undefined || group.length < shortestGroup) {
    return group.map((change) => changeLine(change, paint));
  }
  const [sign, style] = signs[first.op];
  return [`${paint(style, sign)} ${printable(dirname(first.path))}/  (${group.length} files)`];
}

function changeLine({ op, path, from, reason }: Change, paint: Paint): string {
  const [sign, style] = signs[op];
  const where = from === undefined ? printable(path) : `${printable(from)} → ${printable(path)}`;
  return `${paint(style, sign)} ${where}${reason === undefined ? "" : paint("dim", `  (${printable(reason)})`)}`;
}

/** One line that says how much happened: "12 files created, 1 updated". */
export function planSummary(plan: Plan): string {
  const words: readonly (readonly [Change["op"], string])[] = [
    ["create", "created"],
    ["update", "updated"],
    ["delete", "deleted"],
    ["move", "moved"],
    ["keep", "kept back"],
    ["conflict", "in conflict"],
  ];
  const counts = words.flatMap(([op, word]) => {
    const count = plan.changes.filter((change) => change.op === op && !isToCheck(change)).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const toCheck = plan.changes.filter(isToCheck).length;
  if (toCheck > 0) counts.push(`${toCheck} ${toCheck === 1 ? "handler" : "handlers"} to check`);
  if (counts.length > 0) return counts.join(", ");
  const isRefused = plan.diagnostics.some(({ severity }) => severity === "error");
  return isRefused ? "nothing was done" : "nothing to do";
}

/** A handler that is left alone because it is the user's, though what it has to fit changes. */
export function isToCheck({ op, owner }: Change): boolean {
  return op === "keep" && owner === "handler";
}
