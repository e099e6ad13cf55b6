import type { ProblemSite } from "./compose.js";

/** How many lines above a problem are searched for open mappings. */
const MAX_LINES_UP = 200;

/** A mapping that is open above a line. */
interface OpenMapping {
  /** The indentation of its keys. */
  readonly indentation: number;
  /** The line of its key nearest to the problem, counted from 1. */
  readonly line: number;
  /** The indentation of the dash, if the mapping is an item of a list. */
  readonly dash?: number;
}

/** Says how to indent a line whose indentation matches no line above it. */
export function hintForIndentation(site: ProblemSite): string | undefined {
  const { code } = site.problem;
  if (code === "BLOCK_AS_IMPLICIT_KEY") return hintForDeeperLine(site);
  const isStray = code === "BAD_INDENT" || code === "MISSING_CHAR";
  const atLineStart = site.line.slice(0, site.problem.start - site.lineStart).trim() === "";
  return isStray && atLineStart ? hintForStrayLine(site) : undefined;
}

/** For a key that is indented too far, so that the value of the line above seems to go on in it. */
function hintForDeeperLine({ problem, text, line, lineStart }: ProblemSite): string | undefined {
  if (/:(?: |$)/.test(text.slice(problem.start, lineStart + line.length))) return undefined;
  const next = text.slice(lineStart + line.length + 1).split("\n", 1)[0] ?? "";
  if (!/^ *[\w$"'-]+:(?: |$)/.test(next) || keyIndentation(next) <= keyIndentation(line))
    return undefined;
  const number = lineNumber(text, lineStart);
  const indentation = spaces(indentationOf(next));
  return `line ${number + 1} is indented by ${indentation}, as if the value of line ${number} went on; the next key is indented by ${keyIndentation(line)}, a longer text needs quotes`;
}

/** For the lines of a text after `|` or `>` that are not indented further than its key. */
export function hintForBlockText(site: ProblemSite): string | undefined {
  const { problem, text, lineStart } = site;
  if (problem.code !== "MULTILINE_IMPLICIT_KEY") return undefined;
  const above = text.slice(Math.max(0, lineStart - 1000), Math.max(0, lineStart - 1));
  const [, sign] = /: +([|>])[-+\d]* *$/.exec(above.slice(above.lastIndexOf("\n") + 1)) ?? [];
  return sign && `the lines of the text after ${sign} must be indented further than its key`;
}

function hintForStrayLine({ text, line, lineStart }: ProblemSite): string | undefined {
  const indentation = indentationOf(line);
  const open = openMappings(text, lineStart, indentation);
  const item = open.find(({ dash }) => dash === indentation);
  if (item !== undefined && !line.trimStart().startsWith("- ")) {
    return `indent it by ${spaces(item.indentation)} to belong to the item of line ${item.line}, or begin an item with "- "`;
  }
  const [nearest] = [...open].sort(
    (a, b) => Math.abs(a.indentation - indentation) - Math.abs(b.indentation - indentation),
  );
  if (nearest === undefined || nearest.indentation === indentation) return undefined;
  return `it is indented by ${spaces(indentation)}, and line ${nearest.line} by ${nearest.indentation}: keys of one mapping start in the same column`;
}

const spaces = (count: number): string => (count === 1 ? "1 space" : `${count} spaces`);

/**
 * The mappings that are open above a line, from the innermost to the first that encloses the line.
 *
 * @param limit the line's indentation
 */
function openMappings(text: string, lineStart: number, limit: number): OpenMapping[] {
  const lines = text.slice(0, lineStart).split("\n");
  const open: OpenMapping[] = [];
  let least = Infinity;
  const first = Math.max(0, lines.length - MAX_LINES_UP);
  for (let index = lines.length - 1; index >= first && least > 0 && least >= limit; index -= 1) {
    const line = lines[index] ?? "";
    const [indentation, dash] = [keyIndentation(line), indentationOf(line)];
    if (!/^ *(?:- +)*[\w$"'-]+:(?: |$)/.test(line) || dash >= least) continue;
    if (indentation === open.at(-1)?.indentation) open.pop();
    open.push({ indentation, line: index + 1, ...(dash < indentation && { dash }) });
    least = dash;
  }
  return open;
}

const indentationOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

/** The column at which the key of a line starts, after the dashes of lists. */
const keyIndentation = (line: string): number => /^ *(?:- +)*/.exec(line)?.[0].length ?? 0;

/** Counted from 1. */
function lineNumber(text: string, lineStart: number): number {
  return text.slice(0, lineStart).split("\n").length;
}
