import type { Diagnostic, SourceRange } from "../../model/diagnostic.js";
import { printable } from "../../text/printable.js";
import type { Paint } from "../terminal.js";

/** Texts of the files that diagnostics point into, by the path they carry. */
export type Sources = ReadonlyMap<string, string>;

const linesBefore = 2;
/** Longer lines are cut around the problem, so that a one-line manifest stays readable. */
const longestLine = 160;

/** Diagnostics as a person reads them: one line, then the place in its file. Ends with a newline. */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  omitted: number,
  sources: Sources,
  paint: Paint,
): string {
  const linesOf = new Map([...sources].map(([file, text]) => [file, text.split(/\r?\n/)]));
  const blocks = diagnostics.map((diagnostic) =>
    diagnosticBlock(diagnostic, linesOf.get(diagnostic.file) ?? [], paint),
  );
  if (omitted > 0) blocks.push(`and ${omitted} more (--max-diagnostics shows them)\n`);
  return blocks.join("\n");
}

function diagnosticBlock(diagnostic: Diagnostic, lines: readonly string[], paint: Paint): string {
  const { file, line, column, severity, code, message, hint, related = [] } = diagnostic;
  const color = severity === "error" ? "red" : "yellow";
  const parts = [
    `${paint("bold", `${printable(file)}:${line}:${column}`)}  ${paint(color, severity)} ${code}  ${printable(message)}`,
    ...codeFrame(diagnostic, lines, linesBefore, paint),
  ];
  for (const place of related) {
    parts.push(`${printable(file)}:${place.line}:${place.column}  ${printable(place.message)}`);
    parts.push(...codeFrame(place, lines, 0, paint));
  }
  if (hint !== undefined) parts.push(`   ${paint("cyan", "hint:")} ${printable(hint)}`);
  return `${parts.join("\n")}\n`;
}

/** The lines around a range with the range underlined; nothing where the file's text is not known. */
function codeFrame(
  range: SourceRange,
  lines: readonly string[],
  before: number,
  paint: Paint,
): string[] {
  const text = lines[range.line - 1];
  if (text === undefined) return [];
  const width = String(range.line).length;
  const frame: string[] = [];
  for (let line = Math.max(1, range.line - before); line < range.line; line++) {
    frame.push(
      paint("dim", `   ${String(line).padStart(width)} | ${clip(lines[line - 1] ?? "", 0).shown}`),
    );
  }
  const { shown, marker } = underline(text, range);
  frame.push(` ${paint("red", "→")} ${String(range.line).padStart(width)} | ${shown}`);
  frame.push(`   ${" ".repeat(width)} | ${paint("red", marker)}`);
  return frame;
}

function underline(text: string, range: SourceRange): { shown: string; marker: string } {
  const { shown, start } = clip(text, range.column - 1);
  const from = range.column - 1;
  const to = range.endLine > range.line ? text.length : range.endColumn - 1;
  const lead = printable(text.slice(start, from)).length;
  const length = printable(text.slice(from, to)).length;
  const room = Math.max(1, shown.length - lead);
  return { shown, marker: " ".repeat(lead) + "^".repeat(Math.max(1, Math.min(length, room))) };
}

function clip(text: string, focus: number): { shown: string; start: number } {
  if (text.length <= longestLine) return { shown: printable(text), start: 0 };
  const start = Math.max(0, Math.min(focus - 40, text.length - longestLine));
  return { shown: printable(text.slice(start, start + longestLine)), start };
}
