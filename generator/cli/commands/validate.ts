import { validManifest } from "../../model/loaded-manifest.js";
import type { Manifest } from "../../model/manifest.js";
import { compileManifest } from "../compile-manifest.js";
import { exitStatus } from "../exit-status.js";
import { fixNamedManifest } from "../fix/fix-run.js";
import { failed } from "../report/failed.js";
import { printable } from "../../text/printable.js";
import type { Command } from "../command.js";

/** `mcpwright validate`: reports every problem of the manifest. Writes nothing but what `--fix` mends. */
export const validate: Command = async (started) => {
  const { context, problem } = await fixNamedManifest(started);
  if (problem !== undefined) return failed(context, [problem], exitStatus.failed);
  const { reporter, fixed } = context;
  const { file, manifest, model, diagnostics, sources } = await compileManifest(context);
  const isValid = manifest !== undefined && model !== undefined;
  const exitCode = isValid ? exitStatus.done : exitStatus.wrong;
  reporter.diagnostics(diagnostics, sources);
  if (isValid) {
    const counts = itemCounts(validManifest(manifest.value));
    reporter.text(`${printable(file)} is valid: ${counts}\n`);
  }
  reporter.document({
    ok: isValid,
    exitCode,
    manifest: file,
    ...(fixed && { fixed }),
    ...reporter.counted(diagnostics),
  });
  return exitCode;
};

/** The number of items of each kind. Counted in the manifest, since making the model would take longer. */
function itemCounts({
  tools,
  resources,
  resourceTemplates,
  prompts,
  skills = [],
}: Manifest): string {
  const apps = (tools ?? []).filter(({ ui }) => ui !== undefined);
  return [
    countOf(tools, "tool"),
    countOf([...(resources ?? []), ...apps], "resource"),
    countOf(resourceTemplates, "resource template"),
    countOf(prompts, "prompt"),
    ...(skills.length === 0 ? [] : [countOf(skills, "skill folder")]),
  ].join(", ");
}

function countOf(items: readonly unknown[] | undefined, word: string): string {
  const count = items?.length ?? 0;
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
