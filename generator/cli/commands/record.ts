import { recordImpossible } from "../../model/catalogue/command-line.js";
import { wholeFile } from "../../model/place.js";
import { maskedCalls } from "../../record/recorded-examples.js";
import { MOST_CALLS, Recorder } from "../../record/recorder.js";
import { printable } from "../../text/printable.js";
import { compileManifest } from "../compile-manifest.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { failed } from "../report/failed.js";
import { knownSecrets } from "../record/known-secrets.js";
import { RecordedServer } from "../record/recorded-server.js";
import {
  readRecording,
  RECORDING_PATH,
  removeRecording,
  writeRecording,
  type Recording,
} from "../record/recording-file.js";
import type { ValidManifest } from "../record/valid-manifest.js";
import { writeExamples } from "../record/write-examples.js";
import { Reporter } from "../report/reporter.js";
import { statusAfter, takeSignals } from "../signals.js";
import type { Command, CommandContext } from "../command.js";

/** `mcpwright record`: makes examples of the manifest from the calls that pass between a client and a server. */
export const record: Command = async (context) => {
  const isBetween = context.invocation.passedOn.length > 0;
  const speaking = isBetween ? withoutStdout(context) : context;
  const { reporter } = speaking;
  const compiled = await compileManifest(context);
  const { manifest, model, diagnostics, sources } = compiled;
  if (manifest === undefined || model === undefined) {
    reporter.diagnostics(diagnostics, sources);
    reporter.document({ ok: false, exitCode: exitStatus.wrong, ...reporter.counted(diagnostics) });
    return exitStatus.wrong;
  }
  const valid = { ...compiled, manifest, model };
  return isBetween ? recordServer(speaking, valid) : showRecording(speaking, valid);
};

/** A context that reports on stderr, since stdout belongs to the client. */
function withoutStdout(context: CommandContext): CommandContext {
  const { invocation, folder } = context;
  const { err } = context.terminal;
  const terminal = { ...context.terminal, out: err, openQuestions: undefined };
  const reporter = new Reporter(terminal, {
    format: invocation.flags.has("json") ? "json" : "text",
    quiet: invocation.flags.has("quiet"),
    color: !invocation.flags.has("no-color"),
    paths: { folder, repository: folder },
  });
  return { ...context, terminal, reporter };
}

async function recordServer(context: CommandContext, compiled: ValidManifest): Promise<ExitStatus> {
  const { invocation, reporter, terminal } = context;
  const recorder = new Recorder();
  const server = new RecordedServer(invocation.passedOn, context.folder);
  let stopped: ExitStatus | undefined;
  takeSignals((signal) => {
    stopped = statusAfter(signal);
    server.stop();
  });
  server.connect(process.stdin, process.stdout, recorder);
  const { failure, exitCode } = await server.ended;
  if (failure !== undefined)
    return impossible(context, compiled, `it cannot be started: ${failure}`);
  if (exitCode !== 0 && exitCode !== null && stopped === undefined) {
    reporter.text(`The server ended with the status ${exitCode}.\n`);
  }
  const known = knownSecrets(compiled, terminal.env);
  const calls = maskedCalls(recorder.calls, compiled.manifest.value, known);
  for (const skipped of recorder.skipped) reporter.text(`Not recorded: ${skipped}.\n`);
  const recording = { at: Date.now(), calls };
  const { status } = invocation.flags.has("yes")
    ? await writeExamples(context, compiled, recording, false)
    : keep(context, compiled, recording);
  return status === exitStatus.done ? (stopped ?? status) : status;
}

/** Writes the recording into its file, for a later run that shows it. */
function keep(
  context: CommandContext,
  compiled: ValidManifest,
  recording: Recording,
): { readonly status: ExitStatus } {
  const { reporter } = context;
  const count = recording.calls.length;
  try {
    const former = readRecording(compiled.folder);
    const calls = "reason" in former ? [] : former.calls;
    const all = { ...recording, calls: [...calls, ...recording.calls].slice(-MOST_CALLS) };
    if (count > 0) writeRecording(compiled.folder, all);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return {
      status: impossible(context, compiled, `${RECORDING_PATH}: ${code}`, exitStatus.failed),
    };
  }
  const calls = `Recorded ${count} ${count === 1 ? "call" : "calls"}`;
  reporter.text(
    count === 0 ? `${calls}.\n` : `${calls} in ${RECORDING_PATH}. Next:\n\n  mcpwright record\n`,
  );
  reporter.document({ ok: true, exitCode: exitStatus.done, calls: count, ...reporter.counted([]) });
  return { status: exitStatus.done };
}

async function showRecording(
  context: CommandContext,
  compiled: ValidManifest,
): Promise<ExitStatus> {
  const recording = readRecording(compiled.folder);
  if ("reason" in recording) return impossible(context, compiled, recording.reason);
  const { status, isWritten } = await writeExamples(context, compiled, recording, true);
  if (isWritten) removeRecording(compiled.folder);
  return status;
}

function impossible(
  context: CommandContext,
  { file }: ValidManifest,
  reason: string,
  status: ExitStatus = exitStatus.wrong,
): ExitStatus {
  const problem = recordImpossible(wholeFile(file), { reason: printable(reason) });
  return failed(context, [problem], status);
}
