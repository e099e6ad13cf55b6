import type { TextEdit } from "../../model/diagnostic.js";

/** The edits of whole lines that turn a text into another. @param file the path that they carry */
export async function lineEdits(file: string, before: string, after: string): Promise<TextEdit[]> {
  const { structuredPatch } = await import("diff");
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 0 });
  const lines = before.split("\n");
  const end = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  return hunks.map(({ oldStart, oldLines, lines: changed }) => {
    const added = changed.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
    const isAtEnd = oldStart - 1 + oldLines >= lines.length;
    const newText = added.map((line) => `${line}\n`).join("");
    return {
      file,
      line: oldStart,
      column: 1,
      endLine: isAtEnd ? end.line : oldStart + oldLines,
      endColumn: isAtEnd ? end.column : 1,
      newText: isAtEnd && !after.endsWith("\n") ? newText.slice(0, -1) : newText,
    };
  });
}
