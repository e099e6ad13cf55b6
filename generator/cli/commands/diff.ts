import { resolve } from "node:path";
import { canonicalManifest } from "../../3-normalize/canonical.js";
import { compareManifests } from "../../4-compare/compare.js";
import { tooFewArguments } from "../../model/catalogue/command-line.js";
import { listCost } from "../../listing/list-cost.js";
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
import { costText, reportedCost } from "../report/cost-text.js";
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
    return end(context, problems, statusOf(context, changes), { semantic: changes });
  }
  const [oldName, newName] = invocation.positionals;
  if (oldName === undefined || newName === undefined) {
    const missing = tooFewArguments(placeOf(invocation, "argument"), {
      command: invocation.command,
      expected: "two manifests",
    });
    return end(context, { diagnostics: [missing], sources: new Map() }, exitStatus.wrong);
  }
  const [oldSource, newSource] = sourcesOf(oldName, newName, folder);
  const old = await loadFormerManifest(oldSource);
  const compiled = await compileBytes(newSource.shown, await readSource(newSource), invocation);
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
  const cost = await listCost(model());
  const former = old.model && (await listCost(old.model()));
  reporter.text(costText(cost, former, reporter.paint));
  const compared = { semantic, manifest, tokens: reportedCost(cost, former) };
  return end(context, problems, statusOf(context, semantic), compared);
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

/** The result of a comparison. */
interface Comparison {
  readonly semantic: readonly SemanticChange[];
  /** The new manifest; undefined if a running server was compared. */
  readonly manifest?: LoadedManifest;
  /** What the lists cost a model, for the document of `--json`; undefined if a running server was compared. */
  readonly tokens?: object;
}

function end(
  { reporter, invocation }: CommandContext,
  {
    diagnostics,
    sources,
  }: { readonly diagnostics: readonly Diagnostic[]; readonly sources: Sources },
  exitCode: ExitStatus,
  { semantic, manifest, tokens }: Comparison = { semantic: [] },
): ExitStatus {
  reporter.diagnostics(diagnostics, sources);
  reporter.document({
    ok: isDone(invocation.command, exitCode),
    exitCode,
    semantic: semantic.map((change) => reportedChange(change, manifest)),
    ...(tokens && { tokens }),
    ...(diagnostics.length > 0 && reporter.counted(diagnostics)),
  });
  return exitCode;
}
