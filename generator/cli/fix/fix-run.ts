import { fixManifest } from "../../fix/fix-manifest.js";
import { manifestNotWritten } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { wholeFile } from "../../model/place.js";
import { printable } from "../../text/printable.js";
import type { CommandContext } from "../command.js";
import { compileBytes, manifestPath, shownPath } from "../compile-manifest.js";
import { textDiff } from "../report/file-diffs.js";
import { EditedFiles, type EditedFile } from "../edited-files.js";
import { replaceManifest } from "./replace-manifest.js";

/** What a run with `--fix` has done before its command. */
export interface FixRun {
  /** The context for the rest of the run, with what was mended. */
  readonly context: CommandContext;
  /** Why the manifest could not be written. */
  readonly problem?: Diagnostic;
}

/**
 * With `--fix`, applies the certain fixes to the manifest that a command line names and to the files that it includes, and
 * says what was mended. With `--dry-run` it shows the difference and writes nothing. What is no text is left to the command.
 */
export async function fixNamedManifest(context: CommandContext): Promise<FixRun> {
  const { invocation, folder } = context;
  if (!invocation.flags.has("fix")) return { context };
  const path = manifestPath(context);
  const manifest = shownPath(folder, path);
  const files = new EditedFiles(path, manifest);
  const fixed = await fixFiles(context, manifest, files);
  for (const [file, ofFile] of fixed) {
    const edited = files.get(file);
    const reason = edited && (await finishFile(context, file, edited, ofFile));
    if (reason !== undefined)
      return { context, problem: manifestNotWritten(wholeFile(file), { reason }) };
  }
  if (invocation.flags.has("dry-run") && fixed.size === 0) {
    context.reporter.text(summary("Would fix", manifest, []));
  }
  return { context: { ...context, fixed: [...fixed.values()].flat() } };
}

/** At most so often, each file has its turn: what is mended in one may bring to light what another one has. */
const MOST_TURNS = 5;

/** Mends the texts of files. @returns what was mended in each that has changed */
async function fixFiles(
  { invocation }: CommandContext,
  manifest: string,
  files: EditedFiles,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const validate = async () => (await compileBytes(manifest, files.read(), invocation)).diagnostics;
  const fixed = new Map<string, readonly Diagnostic[]>();
  const turns = new Map<string, number>();
  // Files for which there was nothing to do since a text has changed.
  const idle = new Set<string>();
  // The manifest first, since its mistakes may hide those of the files that it includes.
  for (let file: string | undefined = manifest; file !== undefined;) {
    const edited = files.get(file);
    if (edited === undefined) break;
    const result = await fixManifest(file, edited.text, (attempt) => {
      edited.text = attempt;
      return validate();
    });
    edited.text = result.text;
    if (result.fixed.length > 0) {
      fixed.set(file, [...(fixed.get(file) ?? []), ...result.fixed]);
      idle.clear();
    }
    idle.add(file);
    turns.set(file, (turns.get(file) ?? 0) + 1);
    file = (await validate()).find(
      (one) =>
        one.fix !== undefined && !idle.has(one.file) && (turns.get(one.file) ?? 0) < MOST_TURNS,
    )?.file;
  }
  return fixed;
}

/** Writes a file after its fixes, or with `--dry-run` shows them. @returns why it could not be written */
async function finishFile(
  { invocation, reporter }: CommandContext,
  file: string,
  { path, bytes, mark, before, text }: EditedFile,
  fixed: readonly Diagnostic[],
): Promise<string | undefined> {
  if (text === before) return undefined;
  if (invocation.flags.has("dry-run")) {
    reporter.answer(await textDiff(file, before, text, reporter.paint));
    reporter.text(summary("Would fix", file, fixed));
  } else {
    const reason = replaceManifest(path, bytes, mark + text);
    if (reason !== undefined) return reason;
    reporter.text(summary("Fixed", file, fixed));
  }
  return undefined;
}

function summary(verb: string, file: string, fixed: readonly Diagnostic[]): string {
  const count = fixed.length === 1 ? "1 problem" : `${fixed.length} problems`;
  const lines = fixed.map(
    ({ code, line, column, message }) => `  ${line}:${column}  ${code}  ${printable(message)}\n`,
  );
  return `${verb} ${count} in ${printable(file)}${lines.length === 0 ? "." : ":"}\n${lines.join("")}`;
}
