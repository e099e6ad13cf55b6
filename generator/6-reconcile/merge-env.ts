import { lineEndOf } from "../text/line-ends.js";

/** An assignment, or one that is commented out. */
const ASSIGNMENT = /^[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/;

/** The blocks of a generated `.env.example`, by the names of their variables. */
export type VariableBlocks = Readonly<Record<string, string>>;

/** The blocks that a generated `.env.example` has: the base of the next merge. */
export function generatedBlocks(ours: string): VariableBlocks {
  return Object.fromEntries(
    variableBlocks(ours.split("\n")).map(({ name, lines }) => [name, lines.join("\n")]),
  );
}

/** Names of the variables that a text sets, or whose assignments are commented out. */
function variablesIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => ASSIGNMENT.exec(line)?.[1] ?? []);
}

/**
 * Brings the blocks of `.env.example` up to date: those that are as they were generated follow the manifest, and no
 * other line is changed or removed. Then appends the generated variables that neither the base nor the user's text has,
 * with their comments and a blank line before these. The file keeps its line ends; a missing final newline stays missing.
 *
 * @param base what the last generation had
 * @param text the user's file, without a byte-order mark
 */
export function mergeEnv(base: VariableBlocks, ours: string, text: string): string {
  const lineEnd = lineEndOf(text);
  const lines = text.split(/\r?\n/);
  const updated = withUpdates(base, generatedBlocks(ours), lines);
  const present = new Set([...Object.keys(base), ...variablesIn(lines)]);
  const added = variableBlocks(ours.split("\n")).filter(({ name }) => !present.has(name));
  return withAdded(updated === undefined ? text : updated.join(lineEnd), added, lineEnd);
}

/** The lines with the blocks that nobody edited as they are generated now, or gone; undefined if none has changed. */
function withUpdates(
  base: VariableBlocks,
  ours: VariableBlocks,
  lines: readonly string[],
): string[] | undefined {
  const [former, current] = [base, ours].map((blocks) => new Map(Object.entries(blocks)));
  const outdated = variableBlocks(lines).filter(
    ({ name, lines: theirs }) =>
      former?.get(name) === theirs.join("\n") && former.get(name) !== current?.get(name),
  );
  if (outdated.length === 0) return undefined;
  const result = [...lines];
  for (const { name, start, lines: theirs } of outdated.reverse()) {
    const now = current?.get(name)?.split("\n");
    // A block goes with the blank line before it.
    const from = now === undefined && result[start - 1] === "" ? start - 1 : start;
    result.splice(from, start - from + theirs.length, ...(now ?? []));
  }
  return result;
}

function withAdded(text: string, added: readonly VariableBlock[], lineEnd: string): string {
  if (added.length === 0) return text;
  const addition = added
    .map(({ lines }) => (lines.length > 1 ? ["", ...lines] : lines).join(lineEnd))
    .join(lineEnd);
  if (text === "") return addition.trimStart() + lineEnd;
  if (!text.endsWith("\n")) return text + lineEnd + addition;
  return text + (/\n\r?\n$/.test(text) ? addition.trimStart() : addition) + lineEnd;
}

interface VariableBlock {
  readonly name: string;
  /** The index of its first line. */
  readonly start: number;
  readonly lines: readonly string[];
}

/** Each assignment with the comment lines directly above it. */
function variableBlocks(lines: readonly string[]): VariableBlock[] {
  const blocks: VariableBlock[] = [];
  let comments = 0;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("#")) {
      comments++;
      continue;
    }
    const name = ASSIGNMENT.exec(line)?.[1];
    const start = index - comments;
    if (name !== undefined) blocks.push({ name, start, lines: lines.slice(start, index + 1) });
    comments = 0;
  }
  return blocks;
}
