import { previewCannotListen } from "../../model/catalogue/development.js";
import { compileManifest, type ManifestOnDisk } from "../compile-manifest.js";
import { FileWatch } from "../dev/file-watch.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import { shownDiagnostics } from "../preview/item-diagnostics.js";
import { listTokens } from "../preview/list-tokens.js";
import type { RunningPreview } from "../preview/preview-server.js";
import { loadServers } from "../servers/load-servers.js";
import type { Command, CommandContext } from "../command.js";
import { printable } from "../../text/printable.js";
import { statusAfter, takeSignals } from "../signals.js";

/** `mcpwright preview`: serves the web page of a manifest without a project, until Ctrl-C. */
export const preview: Command = async (context) => {
  const { invocation, reporter } = context;
  const port = Number(invocation.values.get("port") ?? 0);
  const first = await compileManifest(context);
  let running: RunningPreview;
  try {
    running = await (await loadServers()).startPreview(first.folder, port);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const problem = previewCannotListen(placeOf(invocation, "port"), { port, reason: code });
    reporter.diagnostics([problem], new Map());
    return exitStatus.wrong;
  }
  const stop = new AbortController();
  let status: ExitStatus = exitStatus.done;
  takeSignals((signal) => {
    status = statusAfter(signal);
    stop.abort();
  });
  reporter.answer(`${running.url} shows ${printable(first.file)} and follows it; Ctrl-C ends it\n`);
  await follow(context, running, first, stop.signal);
  await running.close();
  return status;
};

/** Shows the manifest, and shows it again after each change, until `stop` is aborted. */
async function follow(
  context: CommandContext,
  running: RunningPreview,
  first: ManifestOnDisk,
  stop: AbortSignal,
): Promise<void> {
  const watch = new FileWatch({ manifest: first.path, outDir: first.folder });
  try {
    let compiled = first;
    let before = watch.snapshot();
    while (!stop.aborted) {
      await show(context, running, compiled);
      await watch.changesSince(before, stop);
      // A change while the manifest is compiled is one since then.
      before = watch.snapshot();
      compiled = await compileManifest(context);
    }
  } finally {
    watch.close();
  }
}

async function show(
  { reporter }: CommandContext,
  running: RunningPreview,
  { file, diagnostics, sources, manifest, model }: ManifestOnDisk,
): Promise<void> {
  reporter.diagnostics(diagnostics, sources);
  const valid = model?.();
  await running.show(
    {
      file,
      isCurrent: valid !== undefined,
      diagnostics: shownDiagnostics(diagnostics, manifest),
      ...(valid !== undefined && { tokens: await listTokens(valid) }),
    },
    valid,
  );
}
