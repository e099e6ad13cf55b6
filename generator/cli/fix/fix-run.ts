import { readManifest } from "../../1-load/read.js";
import { fixManifest } from "../../fix/fix-manifest.js";
import { manifestNotWritten } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { wholeFile } from "../../model/place.js";
import { printable } from "../../text/printable.js";
import type { CommandContext } from "../command.js";
import { compileBytes, manifestPath, shownPath } from "../compile-manifest.js";
import { textDiff } from "../report/file-diffs.js";
import { replaceManifest } from "./replace-manifest.js";

/** What a run with `--fix` has done before its command. */
export interface FixRun {
  /** The context for the rest of the run, with what was mended. */
  readonly context: CommandContext;
  /** Why the manifest could not be written. */
  readonly problem?: Diagnostic;
}

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * With `--fix`, applies the certain fixes to the manifest that a command line names, and says what was mended. With
 * `--dry-run` it shows the difference and writes nothing. A manifest that is no text is left to the command.
 */
export async function fixNamedManifest(context: CommandContext): Promise<FixRun> {
  const { invocation, folder, reporter } = context;
  if (!invocation.flags.has("fix")) return { context };
  const path = manifestPath(context);
  const file = shownPath(folder, path);
  const { bytes } = readManifest(path, file);
  const before = bytes && textOf(bytes);
  if (bytes === undefined || before === undefined) return { context: { ...context, fixed: [] } };
  const { text, fixed } = await fixManifest(file, before, async (attempt) => {
    const read = { bytes: Buffer.from(attempt), diagnostics: [] };
    return (await compileBytes(file, read, invocation)).diagnostics;
  });
  if (invocation.flags.has("dry-run")) {
    reporter.answer(await textDiff(file, before, text, reporter.paint));
    reporter.text(summary("Would fix", file, fixed));
  } else if (text !== before) {
    const mark =
      Buffer.from(bytes.subarray(0, 3)).toString() === BYTE_ORDER_MARK ? BYTE_ORDER_MARK : "";
    const reason = replaceManifest(path, bytes, mark + text);
    if (reason !== undefined)
      return { context, problem: manifestNotWritten(wholeFile(file), { reason }) };
    reporter.text(summary("Fixed", file, fixed));
  }
  return { context: { ...context, fixed } };
}

/** The text of a file without its byte-order mark. Undefined if it is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function summary(verb: string, file: string, fixed: readonly Diagnostic[]): string {
  const count = fixed.length === 1 ? "1 problem" : `${fixed.length} problems`;
  const lines = fixed.map(
    ({ code, line, column, message }) => `  ${line}:${column}  ${code}  ${printable(message)}\n`,
  );
  return `${verb} ${count} in ${printable(file)}${lines.length === 0 ? "." : ":"}\n${lines.join("")}`;
}
