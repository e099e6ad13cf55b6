import type { ts as TypeScript } from "ts-morph";
import type { Place } from "../../model/place.js";

/** One error of the TypeScript compiler. An error in its configuration has no file. */
export interface CompilerFinding {
  /** Relative to the folder in which the compiler ran. */
  readonly file?: string;
  /** 1-based, as `column` is. */
  readonly line: number;
  readonly column: number;
  /** `TS2322` */
  readonly code: string;
  readonly message: string;
}

/** The text of a module after a plan, or of a file of the compiler's configuration, and the errors in it. */
export interface CheckedModule {
  readonly findings: readonly CompilerFinding[];
  readonly text: string;
}

/** The finding that a diagnostic of the compiler is. One without a place is at the beginning of its file. */
export function findingOf({
  file,
  start,
  code,
  messageText,
}: TypeScript.Diagnostic): CompilerFinding {
  const { line, character } = file?.getLineAndCharacterOfPosition(start ?? 0) ?? NO_PLACE;
  const message = messageOf(linesOf(messageText));
  return { line: line + 1, column: character + 1, code: `TS${code}`, message };
}

const NO_PLACE = { line: 0, character: 0 };

/** The message of the compiler and the messages that explain it, level by level. */
function linesOf(message: string | TypeScript.DiagnosticMessageChain): string[] {
  if (typeof message === "string") return [message];
  return [message.messageText, ...(message.next ?? []).flatMap(linesOf)];
}

/** Parses the output of `tsc --pretty false`: a line for each error, with indented lines that explain it. */
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

/** The range of the word at a position, since the compiler reports only the beginning of an error. */
export function placeOfWord(
  text: string,
  file: string,
  { line, column }: Pick<CompilerFinding, "line" | "column">,
): Place {
  const remainder = text.split(/\r\n|\n|\r/)[line - 1]?.slice(column - 1) ?? "";
  const word = /^(?:[\w$]+|"[^"]*"|'[^']*'|.)/u.exec(remainder)?.[0] ?? "";
  return { file, line, column, endLine: line, endColumn: column + Math.max(word.length, 1) };
}

/** A message that only says that a whole type does not fit. The messages below it are more exact. */
const WHOLE_TYPE_MESSAGE =
  /^(Argument of t|T)ype '.*' is not assignable to (parameter of )?type '.*'\.$/s;

/**
 * The message of a compiler error in one or two sentences. The compiler goes on from the whole type to the one
 * property that does not fit. Messages about whole types are left out if a more exact message follows.
 *
 * @param lines the message and the messages that explain it, level by level
 */
function messageOf(lines: readonly string[]): string {
  const exact = lines.filter(
    (line, index) => index === lines.length - 1 || !WHOLE_TYPE_MESSAGE.test(line),
  );
  return exact.join(" ");
}
