import type { Diagnostic } from "../../model/diagnostic.js";
import { COMMAND_LINE } from "../../model/catalogue/command-line.js";
import type { Place } from "../../model/place.js";
import { printable } from "../../text/printable.js";
import { codeFrame, type FrameStyle } from "./code-frame.js";

/** The texts of the files that diagnostics refer to, by the path in the diagnostics. */
export type Sources = ReadonlyMap<string, string>;

const linesBefore = 2;

/**
 * Diagnostics for people: one line for each, then the place in its file. After errors in files it says how to read
 * more of them. Ends with a newline.
 *
 * @param omitted number of diagnostics that are not shown
 */
export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  omitted: number,
  sources: Sources,
  style: FrameStyle,
): string {
  const linesOf = new Map([...sources].map(([file, text]) => [file, text.split(/\r?\n/)]));
  const blocks = diagnostics.map((diagnostic) =>
    diagnosticBlock(diagnostic, ({ file }) => linesOf.get(file) ?? [], style),
  );
  if (omitted > 0) blocks.push(`${omittedText(omitted)}\n`);
  const error = diagnostics.find(
    ({ severity, file }) => severity === "error" && file !== COMMAND_LINE,
  );
  const ends = [
    ...(error === undefined ? [] : [`\`mcpwright explain ${error.code}\` says more.\n`]),
    ...fixText(diagnostics),
  ];
  if (ends.length > 0) blocks.push(ends.join(""));
  return blocks.join("\n");
}

/** Says that there are fixes, and how they are applied. Empty if there are none. */
function fixText(diagnostics: readonly Diagnostic[]): string[] {
  const count = diagnostics.filter(({ fix }) => fix !== undefined).length;
  if (count === 0) return [];
  return [`\`mcpwright validate --fix\` mends ${count === 1 ? "one" : count} of these.\n`];
}

/** Says that there are more diagnostics than are shown. */
export function omittedText(omitted: number): string {
  return `and ${omitted} more (--max-diagnostics shows them)`;
}

function diagnosticBlock(
  diagnostic: Diagnostic,
  linesOf: (place: Place) => readonly string[],
  style: FrameStyle,
): string {
  const { severity, code, message, hint, related = [] } = diagnostic;
  const { paint } = style;
  const color = severity === "error" ? "red" : "yellow";
  const parts = [
    `${paint("bold", positionText(diagnostic))}  ${paint(color, severity)} ${code}  ${printable(message)}`,
    ...codeFrame(diagnostic, linesOf(diagnostic), linesBefore, style),
  ];
  for (const place of related) {
    parts.push(`${positionText(place)}  ${printable(place.message)}`);
    parts.push(...codeFrame(place, linesOf(place), 0, style));
  }
  if (hint !== undefined) {
    const [first = "", ...others] = hint.split("\n").map(printable);
    parts.push(`   ${paint("cyan", "hint:")} ${first}`, ...others.map((line) => `   ${line}`));
  }
  return `${parts.join("\n")}\n`;
}

const positionText = ({ file, line, column }: Place): string =>
  `${printable(file)}:${line}:${column}`;
