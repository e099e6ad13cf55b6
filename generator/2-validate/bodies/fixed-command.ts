import { programForm, shellWord } from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { excerpt } from "../../text/excerpt.js";
import { quoted } from "../../text/value-words.js";
import { isInterpreter, isRunner, scriptItems, type FixedItem } from "./exec-scripts.js";

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
  return !isPath || isInterpreter(first) || isRunner(first);
}

const OPERATOR = /^(?:\|\|?|&&?|;|[12&]?>>?|<|2>&1)$/;

/** The home of a user, or a variable, alone or at the beginning of a path. */
const REPLACED = /^(?:~|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})(?:\/|$)/;

/** Warns of the first item that only a shell understands: no shell reads a command. Scripts and values of options may have it. */
export function shellWordProblems(
  manifest: LoadedManifest,
  items: readonly FixedCommandItem[],
  beginnings: readonly string[],
): Diagnostic[] {
  const fixed = items.map((item) => item.fixed);
  const scripts = new Set(scriptItems(fixed, beginnings)?.indexes);
  // After such an option, a semicolon ends the command that the program runs.
  const run = fixed.findIndex((text) => /^-{1,2}(?:exec|ok)/.test(text ?? ""));
  const index = fixed.findIndex((text, at) => {
    const before = fixed[at - 1] ?? "";
    if (text === undefined || at === 0 || scripts.has(at)) return false;
    if (/^-./.test(before) || (text === ";" && run !== -1 && run < at)) return false;
    return OPERATOR.test(text) || REPLACED.test(text);
  });
  const found = items[index];
  if (found?.fixed === undefined) return [];
  const [program = "the program"] = fixed;
  const advice = OPERATOR.test(found.fixed)
    ? `where a shell is meant, write [sh, -c, "${lineOf(fixed)}"]`
    : "write what a shell would put there";
  const place = manifest.locate(found.path, "value");
  return [shellWord(place, { found: quoted(found.fixed), program: excerpt(program), advice })];
}

const LONGEST_LINE = 80;

/** The line that a shell would read. An ellipsis for what is long or needs escapes, or depends on callers. */
function lineOf(items: readonly FixedItem[]): string {
  const line = items.includes(undefined) ? "" : items.join(" ");
  return line === "" || /["\\]/.test(line) || line.length > LONGEST_LINE ? "…" : line;
}
