import { lineEndOf } from "../text/line-ends.js";

/** An assignment, or one that is commented out. */
const ASSIGNMENT = /^[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=/;

/** Names of the variables that a generated `.env.example` sets: the base of the next merge. */
export function generatedVariables(ours: string): string[] {
  return variableBlocks(ours).map(({ name }) => name);
}

/** Names of the variables that a text sets, or whose assignments are commented out. */
function variablesIn(text: string): string[] {
  return text.split("\n").flatMap((line) => ASSIGNMENT.exec(line)?.[1] ?? []);
}

/**
 * Appends to `.env.example` the generated variables that neither the base nor the user's text has, with their
 * comments and a blank line before these. No line is changed or removed. The file keeps its line ends; a missing final
 * newline stays missing.
 *
 * @param base names of the variables that the last generation had
 * @param text the user's file, without a byte-order mark
 */
export function mergeEnv(base: readonly string[], ours: string, text: string): string {
  const present = new Set([...base, ...variablesIn(text)]);
  const added = variableBlocks(ours).filter(({ name }) => !present.has(name));
  if (added.length === 0) return text;
  const lineEnd = lineEndOf(text);
  const addition = added
    .map(({ lines }) => (lines.length > 1 ? ["", ...lines] : lines).join(lineEnd))
    .join(lineEnd);
  if (text === "") return addition.trimStart() + lineEnd;
  if (!text.endsWith("\n")) return text + lineEnd + addition;
  return text + (/\n\r?\n$/.test(text) ? addition.trimStart() : addition) + lineEnd;
}

/** Each assignment with the comment lines directly above it. */
function variableBlocks(text: string): { name: string; lines: string[] }[] {
  const blocks: { name: string; lines: string[] }[] = [];
  let comments: string[] = [];
  for (const line of text.split("\n")) {
    const name = line.startsWith("#") ? undefined : ASSIGNMENT.exec(line)?.[1];
    if (line.startsWith("#")) {
      comments.push(line);
      continue;
    }
    if (name !== undefined) blocks.push({ name, lines: [...comments, line] });
    comments = [];
  }
  return blocks;
}
