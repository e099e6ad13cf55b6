import { relative } from "node:path";
import { hashBytes } from "../../6-reconcile/content-hash.js";
import { recordImpossible } from "../../model/catalogue/command-line.js";
import type { Diagnostic, TextEdit } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { wholeFile } from "../../model/place.js";
import type { FileOperation } from "../../model/plan.js";
import { maskedCalls, recordedExamples } from "../../record/recorded-examples.js";
import { printable } from "../../text/printable.js";
import type { CommandContext } from "../command.js";
import { exitStatus, statusOfProject, type ExitStatus } from "../exit-status.js";
import type { EditedFile } from "../edited-files.js";
import { textDiff } from "../report/file-diffs.js";
import { writeFiles } from "../write-files.js";
import { editExamples, type EditedManifest } from "./edit-examples.js";
import { knownSecrets } from "./known-secrets.js";
import { lineEdits } from "./line-edits.js";
import type { Recording } from "./recording-file.js";
import type { ValidManifest } from "./valid-manifest.js";

/** How writing the examples of a recording ended. */
export interface WrittenExamples {
  readonly status: ExitStatus;
  readonly isWritten: boolean;
}

/**
 * Shows the examples that a recording adds to the manifest, and writes them if a person agrees, or with `--yes`.
 *
 * @param mayAsk whether a person at the terminal can be asked
 */
export async function writeExamples(
  context: CommandContext,
  compiled: ValidManifest,
  { calls, at }: Recording,
  mayAsk: boolean,
): Promise<WrittenExamples> {
  const { reporter } = context;
  const { manifest, path, file } = compiled;
  // The values of secret variables may be others now, and the file may have been edited.
  const masked = maskedCalls(calls, manifest.value, knownSecrets(compiled, context.terminal.env));
  const { added, skipped: ofCalls } = recordedExamples(masked, manifest.value, at);
  const edited = await editExamples(path, file, added);
  if ("reason" in edited) {
    return fail(context, exitStatus.wrong, [recordImpossible(wholeFile(file), edited)]);
  }
  const skipped = [...ofCalls, ...edited.skipped];
  const changed = [...edited.files].filter(([, { text, before }]) => text !== before);
  for (const [shown, { before, text }] of changed) {
    reporter.text(await textDiff(shown, before, text, reporter.paint));
  }
  for (const reason of skipped) reporter.text(`Skipped: ${printable(reason)}.\n`);
  const outcome = await decide(context, changed.length, mayAsk);
  const failures = outcome.isWritten ? await write(compiled, edited) : [];
  if (failures.length > 0) {
    return fail(context, statusOfProject(failures) ?? exitStatus.failed, failures);
  }
  if (outcome.isWritten) {
    const names = changed.map(([shown]) => printable(shown)).join(", ");
    reporter.text(`Wrote ${names}. Next:\n\n  mcpwright plan\n`);
  } else if (outcome.reason !== undefined) reporter.text(`${outcome.reason}\n`);
  reporter.document({
    ok: outcome.status === exitStatus.done,
    exitCode: outcome.status,
    manifest: file,
    written: outcome.isWritten,
    examples: namedExamples(manifest.value, added),
    skipped,
    edits: await editsOf(changed),
    ...reporter.counted([]),
  });
  return outcome;
}

interface Decision extends WrittenExamples {
  /** Why nothing is written, as a sentence. */
  readonly reason?: string;
}

async function decide(
  { invocation: { flags }, terminal, reporter }: CommandContext,
  changes: number,
  mayAsk: boolean,
): Promise<Decision> {
  const not = (status: ExitStatus, reason?: string): Decision => ({
    status,
    isWritten: false,
    ...(reason !== undefined && { reason }),
  });
  if (changes === 0) return not(exitStatus.done, "There is nothing to write.");
  if (flags.has("dry-run")) return not(exitStatus.done, "Nothing was written.");
  if (flags.has("yes")) return { status: exitStatus.done, isWritten: true };
  if (flags.has("json")) return not(exitStatus.done);
  const { openQuestions } = terminal;
  if (!mayAsk || !reporter.mayAsk || openQuestions === undefined) {
    return not(exitStatus.needsPerson, "Nothing was written; --yes writes without asking.");
  }
  const questions = openQuestions();
  const answer = await questions.ask("Write these examples into the manifest? [y/N] ");
  questions.close();
  return /^y(?:es)?$/i.test(answer ?? "")
    ? { status: exitStatus.done, isWritten: true }
    : not(exitStatus.done, "Nothing was written.");
}

function write(
  { folder }: ValidManifest,
  { files }: EditedManifest,
): Promise<readonly Diagnostic[]> {
  const operations = [...files.values()].flatMap(
    ({ path, bytes, mark, before, text }): FileOperation[] =>
      text === before
        ? []
        : [
            {
              kind: "write",
              path: relative(folder, path).replaceAll("\\", "/"),
              content: Buffer.from(mark + text),
              before: hashBytes(bytes),
            },
          ],
  );
  return writeFiles(folder, operations);
}

async function editsOf(
  changed: readonly (readonly [string, EditedFile])[],
): Promise<readonly TextEdit[]> {
  const edits: TextEdit[] = [];
  for (const [shown, { before, text }] of changed) {
    edits.push(...(await lineEdits(shown, before, text)));
  }
  return edits;
}

function namedExamples(
  manifest: JsonObject,
  added: ReadonlyMap<number, readonly JsonObject[]>,
): readonly object[] {
  const tools = manifest["tools"] as readonly JsonObject[];
  return [...added].flatMap(([index, examples]) =>
    examples.map(({ name }) => ({ tool: tools[index]?.["name"], name })),
  );
}

function fail(
  { reporter }: CommandContext,
  status: ExitStatus,
  problems: readonly Diagnostic[],
): WrittenExamples {
  reporter.diagnostics(problems, new Map());
  reporter.document({ ok: false, exitCode: status, written: false, ...reporter.counted(problems) });
  return { status, isWritten: false };
}
