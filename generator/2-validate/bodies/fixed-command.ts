import { programForm, shellWord } from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { excerpt } from "../../text/excerpt.js";
import { quoted } from "../../text/value-words.js";
import { readCommand } from "./command-reading.js";
import { runsOthers } from "./programs/known-programs.js";

/** The text of an item of a command. Undefined if it has a placeholder. */
type FixedItem = string | undefined;

/** An item of a command, as far as the manifest fixes it. */
export interface FixedCommandItem {
  readonly path: ManifestPath;
  /** The text. Undefined if callers or variables decide on a part of it. */
  readonly fixed: FixedItem;
}

/** Reports a program without a name, and a whole line in place of a program. */
export function fixedProgramProblems(
  manifest: LoadedManifest,
  { path, fixed }: FixedCommandItem,
): Diagnostic[] {
  if (fixed === undefined) return [];
  const place = manifest.locate(path, "value");
  if (fixed.trim() === "") return [programForm(place, { problem: "has no name" })];
  const problem = "has spaces: each word of a line is an item of its own";
  return isLine(fixed) ? [programForm(place, { problem })] : [];
}

/** True for a line such as `npx -y @x/y`. The path of a program may have spaces too. */
function isLine(text: string): boolean {
  const [first = "", ...words] = text.split(/\s+/);
  if (words.length === 0 || /[/\\]/.test(first)) return false;
  const isPath = words.some((word) => /[/\\]/.test(word)) && !/^[-@]/.test(words[0] ?? "");
  return !isPath || runsOthers(first);
}

/** Operators that join two programs, and those that lead to a file. A lone `;`, `<` or `>` has a meaning to many programs. */
const JOINING_OPERATOR = /^(?:\|\|?|&&)$/;
const REDIRECTION = /^[12&]?>>?$/;

/** The home of a user, or a variable, alone or at the beginning of a path. */
const REPLACED = /^(?:~|\$[A-Z_][A-Z0-9_]*|\$\{[A-Z_][A-Z0-9_]*\})(?:\/|$)/;

/** Programs that understand the words of a shell themselves, or pass them to a shell elsewhere. */
const PROGRAMS_WITH_SHELL_WORDS = /^(?:adb|envsubst|gcloud|plink|sshpass|systemd-run|vim?|wsl)$/;

/**
 * Warns of the first item that only a shell understands: no shell reads a command. Scripts, the values of options
 * and what follows `--` may be such words.
 *
 * @param mayReplace true if the program may replace `~` and variables itself, as many MCP servers do
 */
export function shellWordProblems(
  manifest: LoadedManifest,
  items: readonly FixedCommandItem[],
  mayReplace = false,
): Diagnostic[] {
  const fixed = items.map((item) => item.fixed);
  const [program = "the program"] = fixed;
  if (PROGRAMS_WITH_SHELL_WORDS.test(program)) return [];
  const texts = fixed.map((text) => ({
    text: text ?? "",
    isFixed: text !== undefined,
    isOne: true,
  }));
  const { places } = readCommand(texts);
  const separator = fixed.indexOf("--");
  const index = fixed.findIndex((text, at) => {
    if (text === undefined || at === 0 || places[at]?.effect === "code") return false;
    if (/^-./.test(fixed[at - 1] ?? "") || (separator !== -1 && at > separator)) return false;
    return isShellOperator(fixed, at) || (!mayReplace && REPLACED.test(text));
  });
  const found = items[index];
  if (found?.fixed === undefined) return [];
  const advice = isShellOperator(fixed, index)
    ? `where a shell is meant, write [sh, -c, "${lineOf(fixed)}"]`
    : "write what a shell would put there";
  const place = manifest.locate(found.path, "value");
  return [shellWord(place, { found: quoted(found.fixed), program: excerpt(program), advice })];
}

/** True for an operator between two programs, for one before a file, and for `2>&1`. */
function isShellOperator(items: readonly FixedItem[], at: number): boolean {
  const text = items[at] ?? "";
  const next = items[at + 1] ?? "";
  if (text === "2>&1") return true;
  if (JOINING_OPERATOR.test(text)) return at > 1 && /^[a-z][\w.+-]*$/.test(next);
  return REDIRECTION.test(text) && at > 1 && /[./]/.test(next);
}

const LONGEST_LINE = 80;

/** The line that a shell would read. An ellipsis for what is long or needs quotes, or depends on callers. */
function lineOf(items: readonly FixedItem[]): string {
  const line = items.join(" ");
  const isPlain = items.every((item) => /^(?:[\w@%+=:,./-]+|[|&>12]+)$/.test(item ?? ""));
  return !isPlain || line.length > LONGEST_LINE ? "…" : line;
}
