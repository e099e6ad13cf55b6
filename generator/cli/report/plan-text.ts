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

/** Shorter runs of files that are alike are named one by one. */
const shortestGroup = { generated: 4, others: 12 };

/**
 * A plan as a person reads it: a line a file, or a line for many files of one folder to which the
 * same happens; after them what is left to the person. Empty where nothing would happen.
 */
export function planText({ changes }: Plan, paint: Paint): string {
  const [left, done] = partition(changes, isLeft);
  const [handlers, waiting] = partition(left, isToCheck);
  const sections: readonly (readonly [heading: string, of: readonly Change[]])[] = [
    ["Needs you:", waiting],
    ["Handlers whose types change, left as you wrote them:", handlers],
  ];
  const lines = sections.flatMap(([heading, of]) =>
    of.length === 0 ? [] : ["", paint("bold", heading), ...planLines(of, paint)],
  );
  return [...planLines(done, paint), ...lines].map((line) => `${line}\n`).join("");
}

/** Modules of a person that may not type-check any more, as `generate` names them, which asks no compiler. */
export function modulesText(paths: readonly string[], paint: Paint): string {
  if (paths.length === 0) return "";
  const heading =
    "Modules of yours that mention what changes; `npm run typecheck` says if they still fit:";
  const [sign, style] = signs.keep;
  const lines = paths.map((path) => `${paint(style, sign)} ${printable(path)}`);
  return ["", paint("bold", heading), ...lines].map((line) => `${line}\n`).join("");
}

/** Copies of what a person had edited, and what to do with them. */
export function copiesText(paths: readonly string[], paint: Paint): string {
  if (paths.length === 0) return "";
  const [sign, style] = signs.keep;
  return [
    "",
    paint("bold", "Copies of files that you had edited, which version control leaves out:"),
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

/** Nothing is done to it; a person has to. */
function isLeft({ op }: Change): boolean {
  return op === "keep" || op === "conflict";
}

/** The same, of some changes, without ends of lines. */
export function planLines(changes: readonly Change[], paint: Paint): string[] {
  return groups(changes).flatMap((group) => groupLines(group, paint));
}

/** Changes that are alike, together; what moves, or is a person's own, alone. */
function groups(changes: readonly Change[]): Change[][] {
  const byKey = new Map<string, Change[]>();
  for (const change of changes) {
    const { op, path, owner, reason = "" } = change;
    const folder = folderOf(change);
    const isAlone = op === "move" || (isLeft(change) && owner !== "generated");
    const isPlain = !isAlone && folder !== ".";
    const key = isPlain ? `${op} ${owner} ${folder}/ ${reason}` : `${op} ${path}`;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [change]);
    else group.push(change);
  }
  return [...byKey.values()];
}

/** The folder that a file is counted in: what is copied is one folder, whatever folders it has inside. */
function folderOf({ path, owner }: Change): string {
  const copied =
    owner === "generated"
      ? /^(?:.*\/)?generated\/(?:contracts|runtime|suite|validators)(?=\/)/.exec(path)
      : null;
  return copied?.[0] ?? dirname(path);
}

function groupLines(group: readonly Change[], paint: Paint): string[] {
  const [first] = group;
  const isOurs = first?.owner === "generated" && !isLeft(first);
  const shortest = isOurs ? shortestGroup.generated : shortestGroup.others;
  if (first === undefined || group.length < shortest) {
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
