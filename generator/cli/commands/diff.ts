import { resolve } from "node:path";
import { canonicalManifest } from "../../3-normalize/canonical.js";
import { compareManifests } from "../../4-compare/compare.js";
import { tooFewArguments } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { SemanticChange, SemanticSeverity } from "../../model/plan.js";
import { compileBytes } from "../compile-manifest.js";
import { exitStatus, isDone, type ExitStatus } from "../exit-status.js";
import {
  loadFormerManifest,
  parseSource,
  readSource,
  type ManifestSource,
} from "../manifest-source.js";
import type { Sources } from "../report/diagnostics-text.js";
import { placeOf } from "../options.js";
import { reportedChange, semanticSummary, semanticText } from "../report/semantic-text.js";
import type { Command, CommandContext } from "../command.js";
import { serverDiffArguments } from "./server-diff-arguments.js";

/**
 * `mcpwright diff OLD NEW`: prints the changes that callers notice. The old manifest need not be valid any more. One
 * of the two may be a running server.
 */
export const diff: Command = async (context) => {
  const { invocation, folder, reporter } = context;
  const names = serverDiffArguments(invocation);
  if (names !== undefined) {
    const { diffServer } = await import("./diff-server.js");
    const { changes, ...problems } = await diffServer(context, names);
    if (changes === undefined) return end(context, problems, exitStatus.wrong);
    return end(context, problems, statusOf(context, changes), changes);
  }
  const [oldName, newName] = invocation.positionals;
  if (oldName === undefined || newName === undefined) {
    const missing = tooFewArguments(placeOf(invocation, "argument"), {
      command: invocation.command,
      expected: "two manifests",
    });
    return end(context, { diagnostics: [missing], sources: new Map() }, exitStatus.wrong);
  }
  const [former, present] = sourcesOf(oldName, newName, folder);
  const old = await loadFormerManifest(former);
  const compiled = compileBytes(present.shown, await readSource(present), invocation);
  const { manifest, model } = compiled;
  const problems = {
    diagnostics: [...old.diagnostics, ...compiled.diagnostics],
    sources: new Map([...old.sources, ...compiled.sources]),
  };
  if (old.canonical === undefined || manifest === undefined || model === undefined) {
    return end(context, problems, exitStatus.wrong);
  }
  const semantic = compareManifests(old.canonical, canonicalManifest(manifest.value));
  reporter.answer(semanticText(semantic, manifest, reporter.paint));
  reporter.text(`${semanticSummary(semantic)}\n`);
  return end(context, problems, statusOf(context, semantic), semantic, manifest);
};

function statusOf({ invocation }: CommandContext, changes: readonly SemanticChange[]): ExitStatus {
  const isFailure = failingOn(invocation.values.get("fail-on"), changes);
  return isFailure ? exitStatus.pending : exitStatus.done;
}

/** The two manifests. `git:REV` without a path is the other manifest at that revision. */
function sourcesOf(
  oldName: string,
  newName: string,
  folder: string,
): readonly [ManifestSource, ManifestSource] {
  const fileName = [newName, oldName].find((name) => !name.startsWith("git:"));
  const defaultPath = resolve(folder, fileName ?? "mcp.yaml");
  return [parseSource(oldName, folder, defaultPath), parseSource(newName, folder, defaultPath)];
}

function failingOn(severity: string | undefined, changes: readonly SemanticChange[]): boolean {
  const failing: readonly SemanticSeverity[] =
    severity === "warning" ? ["breaking", "warning"] : severity === "breaking" ? ["breaking"] : [];
  return changes.some((change) => failing.includes(change.severity));
}

function end(
  { reporter, invocation }: CommandContext,
  {
    diagnostics,
    sources,
  }: { readonly diagnostics: readonly Diagnostic[]; readonly sources: Sources },
  exitCode: ExitStatus,
  semantic: readonly SemanticChange[] = [],
  manifest?: LoadedManifest,
): ExitStatus {
  reporter.diagnostics(diagnostics, sources);
  reporter.document({
    ok: isDone(invocation.command, exitCode),
    exitCode,
    semantic: semantic.map((change) => reportedChange(change, manifest)),
    ...(diagnostics.length > 0 && reporter.counted(diagnostics)),
  });
  return exitCode;
}
