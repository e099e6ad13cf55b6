import { compileManifest } from "../compile-manifest.js";
import { exitStatus } from "../exit-status.js";
import type { Command } from "../run.js";

/** `mcpwright validate`: every problem of the manifest; writes nothing. */
export const validate: Command = async (context) => {
  const { reporter } = context;
  const { file, model, diagnostics, sources } = await compileManifest(context);
  const exitCode = model === undefined ? exitStatus.wrong : exitStatus.done;
  reporter.diagnostics(diagnostics, sources);
  if (model !== undefined) reporter.text(`${file} is valid: ${contents(model())}\n`);
  reporter.document({
    ok: model !== undefined,
    exitCode,
    manifest: file,
    ...reporter.counted(diagnostics),
  });
  return exitCode;
};

function contents(model: Parameters<typeof countOf>[0]): string {
  return [
    countOf(model, "tools", "tool"),
    countOf(model, "resources", "resource"),
    countOf(model, "resourceTemplates", "resource template"),
    countOf(model, "prompts", "prompt"),
  ].join(", ");
}

type ListName = "tools" | "resources" | "resourceTemplates" | "prompts";

function countOf(
  model: { readonly [list in ListName]: readonly unknown[] },
  list: ListName,
  word: string,
): string {
  const count = model[list].length;
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
