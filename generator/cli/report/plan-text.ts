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

/** The smallest number of files with the same change that get one line together. */
const smallestGroup = { generated: 4, others: 12 };

/**
 * A plan for people. There is a line for each file, or for many files of one folder with the same change, and at the
 * end the files that are left to the person. Empty if nothing would happen.
 */
export function planText({ changes }: Plan, paint: Paint): string {
  const [untouched, performed] = partition(changes, isLeftAlone);
  const [handlers, conflicts] = partition(untouched, isToCheck);
  const blocks: readonly (readonly [heading: string, changes: readonly Change[]])[] = [
    ["Needs you:", conflicts],
    ["Handlers whose types change, left as you wrote them:", handlers],
  ];
  const lines = blocks.flatMap(([heading, members]) =>
    members.length === 0 ? [] : ["", paint("bold", heading), ...planLines(members, paint)],
  );
  return [...planLines(performed, paint), ...lines].map((line) => `${line}\n`).join("");
}

/** Modules of a person that may not type-check any more. `generate` lists them without asking a compiler. */
export function modulesText(paths: readonly string[], paint: Paint): string {
  if (paths.length === 0) return "";
  const heading =
    "Modules of yours that this run affects; `npm run typecheck` says if they still fit:";
  const [sign, style] = signs.keep;
  const lines = paths.map((path) => `${paint(style, sign)} ${printable(path)}`);
  return ["", paint("bold", heading), ...lines].map((line) => `${line}\n`).join("");
}

/** The saved copies of edited and merged files, and what the person should do with them. */
export function copiesText(paths: readonly string[], paint: Paint): string {
  if (paths.length === 0) return "";
  const [sign, style] = signs.keep;
  return [
    "",
    paint(
      "bold",
      "Copies of files that were edited or merged before they were replaced; version control leaves them out:",
    ),
    ...paths.map((path) => `${paint(style, sign)} ${printable(path)}`),
    "Take over what you need into a handler, `src/context.ts` or the manifest; then delete them.",
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function partition<Value>(
  values: readonly Value[],
  isFirst: (value: Value) => boolean,
): readonly [Value[], Value[]] {
  return [values.filter(isFirst), values.filter((value) => !isFirst(value))];
}

/** True if the run does not touch the file, and a person must act. */
function isLeftAlone({ op }: Change): boolean {
  return op === "keep" || op === "conflict";
}

/** The lines of some changes, as in `planText`, without line ends. */
export function planLines(changes: readonly Change[], paint: Paint): string[] {
  return groups(changes).flatMap((group) => groupLines(group, paint));
}

/** Groups changes of the same kind in the same folder. Moves and files that a person owns are not grouped. */
function groups(changes: readonly Change[]): Change[][] {
  const byKey = new Map<string, Change[]>();
  for (const change of changes) {
    const { op, path, owner, reason = "" } = change;
    const folder = folderOf(change);
    const isAlone = op === "move" || (isLeftAlone(change) && owner !== "generated");
    const canJoin = !isAlone && folder !== ".";
    const key = canJoin ? `${op} ${owner} ${folder}/ ${reason}` : `${op} ${path}`;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [change]);
    else group.push(change);
  }
  return [...byKey.values()];
}

/** The folder that a file is grouped by. All files of a folder that is copied as a whole are grouped by that folder. */
function folderOf({ path, owner }: Change): string {
  const copied =
    owner === "generated"
      ? /^(?:.*\/)?generated\/(?:contracts|runtime|suite|validators)(?=\/)/.exec(path)
      : null;
  return copied?.[0] ?? dirname(path);
}

function groupLines(group: readonly Change[], paint: Paint): string[] {
  const [first] = group;
  const isGenerated = first?.owner === "generated" && !isLeftAlone(first);
  const smallest = isGenerated ? smallestGroup.generated : smallestGroup.others;
  if (first === undefined || group.length < smallest) {
    return group.map((change) => changeLine(change, paint));
  }
  const [sign, style] = signs[first.op];
  const about = first.reason === undefined ? "" : `: ${first.reason}`;
  const note = paint("dim", `  (${group.length} files${printable(about)})`);
  return [`${paint(style, sign)} ${printable(folderOf(first))}/${note}`];
}

function changeLine({ op, path, from, reason }: Change, paint: Paint): string {
  const [sign, style] = signs[op];
  const where = from === undefined ? printable(path) : `${printable(from)} → ${printable(path)}`;
  return `${paint(style, sign)} ${where}${reason === undefined ? "" : paint("dim", `  (${printable(reason)})`)}`;
}

/** One line with the number of changes of each kind: "12 created, 1 updated". */
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

/** True for an edited handler whose types change. It belongs to the user, so that the run does not touch it. */
export function isToCheck({ op, owner }: Change): boolean {
  return op === "keep" && owner === "handler";
}
