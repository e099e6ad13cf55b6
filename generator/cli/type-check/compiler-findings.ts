import type { Place } from "../../model/catalogue-entry.js";

/** One error of a TypeScript compiler; without a file, one of its configuration. */
export interface CompilerFinding {
  /** From the folder in which the compiler ran. */
  readonly file?: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** `TS2322` */
  readonly code: string;
  readonly message: string;
}

/** Reads what `tsc --pretty false` prints: a line an error, its elaboration indented below. */
export function parseCompilerOutput(text: string): CompilerFinding[] {
  const findings: { place: Omit<CompilerFinding, "message">; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, file, row, column, code, message] =
      /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/.exec(line) ?? [];
    if (code !== undefined && message !== undefined) {
      const position = { line: Number(row ?? 1), column: Number(column ?? 1), code };
      findings.push({
        place: { ...(file !== undefined && { file }), ...position },
        lines: [message],
      });
    } else if (/^\s+\S/.test(line)) findings.at(-1)?.lines.push(line.trim());
  }
  return findings.map(({ place, lines }) => ({ ...place, message: messageOf(lines) }));
}

/** The word at a position, since the compiler says only where it begins. */
export function placeIn(
  text: string,
  file: string,
  { line, column }: Pick<CompilerFinding, "line" | "column">,
): Place {
  const rest = text.split(/\r\n|\n|\r/)[line - 1]?.slice(column - 1) ?? "";
  const word = /^(?:[\w$]+|"[^"]*"|'[^']*'|.)/u.exec(rest)?.[0] ?? "";
  return { file, line, column, endLine: line, endColumn: column + Math.max(word.length, 1) };
}

/** What says no more than that something beneath it does not fit. */
const ONLY_A_FRAME =
  /^(Argument of t|T)ype '.*' is not assignable to (parameter of )?type '.*'\.$/s;

/**
 * The message of a compiler error in one sentence or two. Its elaboration goes from the whole type to
 * the one property that does not fit; the whole types are left out where something more exact follows.
 *
 * @param lines the message, and its elaboration level by level
 */
export function messageOf(lines: readonly string[]): string {
  const exact = lines.filter(
    (line, index) => index === lines.length - 1 || !ONLY_A_FRAME.test(line),
  );
  return exact.join(" ");
}
