import type { StructuredPatch } from "diff";
import { isRuntimeFile } from "../../5-emit/project/runtime-package.js";
import type { ProjectTree } from "../../6-reconcile/tree.js";
import { LOCK_PATH } from "../../6-reconcile/lock.js";
import type { FileOperation } from "../../model/plan.js";
import { decodeText } from "../../text/line-ends.js";
import { printable } from "../../text/printable.js";
import type { Paint } from "../terminal.js";

/** The most lines that may differ in one file. With more, the search for the shortest diff takes too long. */
const MOST_EDITS = 5_000;

/** The changes of all files in a plan as unified diffs. Without the lock, which repeats the manifest. */
export async function fileDiffs(
  operations: readonly FileOperation[],
  tree: ProjectTree,
  paint: Paint,
): Promise<string> {
  const { structuredPatch } = await import("diff");
  const options = { context: 3, maxEditLength: MOST_EDITS };
  const parts = operations.flatMap((operation) => {
    if (operation.kind === "move" || operation.path === LOCK_PATH) return [];
    const { path } = operation;
    const before = tree.entry(path).kind === "file" ? textOf(tree.read(path)) : undefined;
    const after = operation.kind === "write" ? textOf(operation.content) : undefined;
    const names = [nameOf("a", path, before), nameOf("b", path, after)] as const;
    if (isRuntimeFile(path)) return [`${paint("bold", `Binary file: ${names.join(" ")}`)}\n`];
    const patch = structuredPatch(...names, before ?? "", after ?? "", "", "", options);
    return [patchText(names, patch, paint)];
  });
  return parts.join("");
}

/** The changes of one text as a unified diff. Empty if there are none. */
export async function textDiff(
  path: string,
  before: string,
  after: string,
  paint: Paint,
): Promise<string> {
  if (before === after) return "";
  const { structuredPatch } = await import("diff");
  const names = [nameOf("a", path, before), nameOf("b", path, after)] as const;
  const options = { context: 3, maxEditLength: MOST_EDITS };
  return patchText(names, structuredPatch(...names, before, after, "", "", options), paint);
}

function nameOf(side: "a" | "b", path: string, text: string | undefined): string {
  return text === undefined ? "/dev/null" : `${side}/${path}`;
}

function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
}

function patchText(
  [oldName, newName]: readonly [string, string],
  patch: StructuredPatch | undefined,
  paint: Paint,
): string {
  const head = [`--- ${printable(oldName)}`, `+++ ${printable(newName)}`].map((line) =>
    paint("bold", line),
  );
  const body =
    patch === undefined
      ? ["(more lines differ than can be shown)"]
      : patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
          paint("cyan", `@@ -${span(oldStart, oldLines)} +${span(newStart, newLines)} @@`),
          ...lines.map((line) => diffLine(line, paint)),
        ]);
  return [...head, ...body, ""].join("\n");
}

/** The range of a hunk. An empty range is given by the number of the line before it. */
function span(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function diffLine(line: string, paint: Paint): string {
  const text = line.split("\t").map(printable).join("\t");
  if (line.startsWith("+")) return paint("green", text);
  return line.startsWith("-") ? paint("red", text) : text;
}
