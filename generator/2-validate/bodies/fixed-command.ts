import { programForm, shellWord } from "../../model/catalogue/exec-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { excerpt } from "../../text/excerpt.js";
import { quoted } from "../../text/value-words.js";
import { readCommand, type CommandText } from "./command-reading.js";
import { factsOf, runsOthers } from "./programs/known-programs.js";

/** An item of a command, as far as the manifest fixes it, and its place in the manifest. */
export interface PlacedText extends CommandText {
  readonly path: ManifestPath;
}

/** Reports a program without a name, and a whole line in place of a program. */
export function fixedProgramProblems(
  manifest: LoadedManifest,
  { path, text, isFixed }: PlacedText,
): Diagnostic[] {
  const place = manifest.locate(path, "value");
  if (isFixed && text.trim() === "") return [programForm(place, { problem: "has no name" })];
  const problem = "has spaces: each word of a line is an item of its own";
  return isFixed && isLine(text) ? [programForm(place, { problem })] : [];
}

/** True for a line such as `npx -y @x/y`. The path of a program may have spaces too. */
function isLine(text: string): boolean {
  const [first = "", ...words] = text.split(/\s+/);
  if (words.length === 0 || /[/\\]/.test(first)) return false;
  const isPath = words.some((word) => /[/\\]/.test(word)) && !/^[-@]/.test(words[0] ?? "");
  return !isPath || runsOthers(first);
}

/** The home of a user, or a variable, alone or at the beginning of a path. */
const REPLACED = /^(?:~|\$[A-Z_][A-Z0-9_]*|\$\{[A-Z_][A-Z0-9_]*\})(?:\/|$)/;

/**
 * Warns of the first item that only a shell understands: no shell reads a command. Scripts, the values of options
 * and what follows `--` may be such words. Docker's reference of `RUN` warns of the same for its exec form.
 *
 * @param mayReplace true if the program may replace `~` and variables itself, as many MCP servers do
 */
export function shellWordProblems(
  manifest: LoadedManifest,
  items: readonly PlacedText[],
  mayReplace = false,
): Diagnostic[] {
  const texts = items.map(({ text, isFixed }) => (isFixed ? text : "…"));
  const [program = ""] = texts;
  if (factsOf(program).readsShellWords === true) return [];
  const { places } = readCommand(items);
  const end = [...texts, "--"].indexOf("--");
  const index = texts.slice(0, end).findIndex((text, at) => {
    if (at === 0 || places[at]?.effect === "code" || /^-./.test(texts[at - 1] ?? "")) return false;
    return isShellOperator(texts, at) || (!mayReplace && REPLACED.test(text));
  });
  const found = items[index];
  if (found === undefined) return [];
  // A line that is long, needs quotes or depends on callers is left to the author.
  const line = texts.join(" ");
  const isPlain = texts.every((item) => /^(?:[\w@%+=:,./-]+|[|&>12]+)$/.test(item));
  const advice = isShellOperator(texts, index)
    ? `where a shell is meant, write [sh, -c, "${isPlain && line.length <= 80 ? line : "…"}"]`
    : "write what a shell would put there";
  const place = manifest.locate(found.path, "value");
  return [shellWord(place, { found: quoted(found.text), program: excerpt(program), advice })];
}

/** True for `|` and `&&` before a program, for `>` before the path of a file, and for `2>&1`. */
function isShellOperator(texts: readonly string[], at: number): boolean {
  const [text = "", next = ""] = texts.slice(at, at + 2);
  if (text === "2>&1" || at < 2) return text === "2>&1";
  if (/^(?:\|\|?|&&)$/.test(text)) return /^[a-z][\w.+-]*$/.test(next);
  return /^[12&]?>>?$/.test(text) && /[./]/.test(next);
}
