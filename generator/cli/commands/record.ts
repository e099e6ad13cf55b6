import { badOptionValue, recordImpossible } from "../../model/catalogue/command-line.js";
import { wholeFile } from "../../model/place.js";
import { maskedCalls } from "../../record/recorded-examples.js";
import { MOST_CALLS, Recorder } from "../../record/recorder.js";
import { printable } from "../../text/printable.js";
import { compileManifest } from "../compile-manifest.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import { failed } from "../report/failed.js";
import { knownSecrets } from "../record/known-secrets.js";
import { RecordedEndpoint } from "../record/recorded-endpoint.js";
import { RecordedServer } from "../record/recorded-server.js";
import {
  readRecording,
  RECORDING_PATH,
  removeRecording,
  writeRecording,
} from "../record/recording-file.js";
import type { ValidManifest } from "../record/valid-manifest.js";
import { writeExamples } from "../record/write-examples.js";
import { loadServers } from "../servers/load-servers.js";
import { statusAfter, takeSignals } from "../signals.js";
import type { Command, CommandContext } from "../command.js";
import { serverOfCommandLine } from "./server-of-command-line.js";

/** `mcpwright record`: makes examples of the manifest from the calls that pass between a client and a server. */
export const record: Command = async (context) => {
  const { passedOn, values, flags } = context.invocation;
  const isReplay = flags.has("replay");
  const speaking = passedOn.length > 0 || isReplay ? withoutStdout(context) : context;
  const { reporter } = speaking;
  const compiled = await compileManifest(context);
  const { manifest, model, diagnostics, sources } = compiled;
  if (manifest === undefined || model === undefined) {
    reporter.diagnostics(diagnostics, sources);
    reporter.document({ ok: false, exitCode: exitStatus.wrong, ...reporter.counted(diagnostics) });
    return exitStatus.wrong;
  }
  const valid = { ...compiled, manifest, model };
  if (isReplay) return replay(speaking, valid);
  const url = values.get("url");
  if (passedOn.length === 0 && url === undefined) return showRecording(speaking, valid);
  const named = serverOfCommandLine(speaking, url);
  if ("problem" in named) return failed(speaking, [named.problem], exitStatus.wrong);
  return named.target.kind === "url"
    ? recordUrl(speaking, valid, named.target)
    : recordProgram(speaking, valid);
};

/** Serves the manifest from its examples. */
async function replay(
  context: CommandContext,
  { folder, model }: ValidManifest,
): Promise<ExitStatus> {
  const { invocation } = context;
  if (invocation.passedOn.length > 0) {
    const wrong = { option: "--replay", expected: "a run without COMMAND" };
    const problem = badOptionValue(placeOf(invocation, "replay"), wrong);
    return failed(context, [problem], exitStatus.wrong);
  }
  takeSignals(() => undefined);
  const { startReplay } = await loadServers();
  await startReplay(folder, model());
  return exitStatus.done;
}

/** A context that reports on stderr, since stdout belongs to the client. */
function withoutStdout(context: CommandContext): CommandContext {
  const terminal = { ...context.terminal, openQuestions: undefined };
  return { ...context, terminal, reporter: context.reporter.onStderr };
}

async function recordProgram(
  context: CommandContext,
  compiled: ValidManifest,
): Promise<ExitStatus> {
  const { invocation, reporter } = context;
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
  const status = await finish(context, compiled, recorder, []);
  return status === exitStatus.done ? (stopped ?? status) : status;
}

async function recordUrl(
  context: CommandContext,
  compiled: ValidManifest,
  target: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
): Promise<ExitStatus> {
  const { invocation, terminal } = context;
  const recorder = new Recorder();
  const endpoint = new RecordedEndpoint(target, recorder);
  const port = Number(invocation.values.get("port") ?? 0);
  try {
    await endpoint.listen(port);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const wrong = { option: "--port", expected: `a free port (${code})`, found: String(port) };
    return failed(context, [badOptionValue(placeOf(invocation, "port"), wrong)], exitStatus.wrong);
  }
  const address = printable(new URL(target.url).origin);
  terminal.err(`${endpoint.url} passes on to ${address}; Ctrl-C ends it\n`);
  const signal = await new Promise<Parameters<Parameters<typeof takeSignals>[0]>[0]>((resolve) => {
    takeSignals(resolve);
  });
  // A second Ctrl-C ends the process, also while it asks.
  takeSignals((again) => process.exit(statusAfter(again)));
  await endpoint.close();
  const status = await finish(context, compiled, recorder, endpoint.secrets);
  if (signal !== "SIGINT" && status === exitStatus.done) return statusAfter(signal);
  const mayAsk = context.reporter.mayAsk && terminal.openQuestions !== undefined;
  return mayAsk && !invocation.flags.has("yes") && recorder.calls.length > 0
    ? showRecording(context, compiled)
    : status;
}

/** Keeps what was recorded for a later run, or with `--yes` writes it. @param secrets those that have passed */
async function finish(
  context: CommandContext,
  compiled: ValidManifest,
  recorder: Recorder,
  secrets: readonly string[],
): Promise<ExitStatus> {
  const { invocation, reporter, terminal } = context;
  const { folder, manifest } = compiled;
  const known = [...knownSecrets(compiled, terminal.env), ...secrets];
  const at = Date.now();
  const found = readRecording(folder);
  const former = "reason" in found ? { at, calls: [] } : found;
  // What these calls show to be a secret may stand in former ones, too.
  const all = maskedCalls([...former.calls, ...recorder.calls], manifest.value, known);
  const calls = all.slice(former.calls.length);
  for (const skipped of recorder.skipped) reporter.text(`Not recorded: ${skipped}.\n`);
  const writesNow = invocation.flags.has("yes");
  const kept = writesNow
    ? { at: former.at, calls: all.slice(0, former.calls.length) }
    : { at, calls: all.slice(-MOST_CALLS) };
  try {
    if (calls.length > 0 && kept.calls.length > 0) writeRecording(folder, kept);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return impossible(context, compiled, `${RECORDING_PATH}: ${code}`, exitStatus.failed);
  }
  if (writesNow) return (await writeExamples(context, compiled, { at, calls }, false)).status;
  const count = `Recorded ${calls.length} ${calls.length === 1 ? "call" : "calls"}`;
  const next = ` in ${RECORDING_PATH}. Next:\n\n  mcpwright record\n`;
  reporter.text(count + (calls.length === 0 ? ".\n" : next));
  const counted = { calls: calls.length, ...reporter.counted([]) };
  reporter.document({ ok: true, exitCode: exitStatus.done, ...counted });
  return exitStatus.done;
}

/** Shows what becomes of the recording that is kept, and asks whether to write it. */
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
