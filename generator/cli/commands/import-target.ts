import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { manifestSchema } from "../../5-emit/fixed-files.js";
import {
  badOptionValue,
  initFailed,
  initTargetExists,
} from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { printable } from "../../text/printable.js";
import { shownPath } from "../compile-manifest.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { writeStarter } from "../init/write-starter.js";
import { placeOf } from "../options.js";
import type { CommandContext } from "../command.js";

/** The manifest that an import is to write, as an absolute path. */
export function targetOf({ invocation, folder }: CommandContext): string {
  return resolve(folder, invocation.values.get("out") ?? "mcp.yaml");
}

/** Why nothing can be written there; looked at before anything is read. */
export function targetProblem(context: CommandContext, target: string): Diagnostic | undefined {
  const problem = nameProblem(context, target);
  if (problem !== undefined || !existsSync(target)) return problem;
  return initTargetExists(placeOf(context.invocation, "out"), { path: target });
}

/** Why a path cannot be that of a manifest. */
export function nameProblem(
  { invocation }: CommandContext,
  target: string,
): Diagnostic | undefined {
  if (basename(target) === "mcp.yaml") return undefined;
  const expected = "a path that ends in mcp.yaml";
  return badOptionValue(placeOf(invocation, "out"), { option: "--out", expected, found: target });
}

export interface Written {
  readonly exitCode: ExitStatus;
  /** Why it could not be written. */
  readonly problem?: Diagnostic;
}

/**
 * Writes an imported manifest, where there is one and it is no dry run.
 *
 * @param others texts of files that come with it, by their names
 */
export async function writeImported(
  { invocation }: CommandContext,
  target: string,
  manifest: string | undefined,
  others?: ReadonlyMap<string, string>,
): Promise<Written> {
  if (manifest === undefined) return { exitCode: exitStatus.wrong };
  if (invocation.flags.has("dry-run")) return { exitCode: exitStatus.done };
  const place = placeOf(invocation, "out");
  const problem = writeStarter(place, dirname(target), manifest, await manifestSchema(), others);
  if (problem === undefined) return { exitCode: exitStatus.done };
  const isDisk = problem.code === initFailed.entry.code;
  return { exitCode: isDisk ? exitStatus.failed : exitStatus.wrong, problem };
}

/**
 * What a person reads of an import that went well.
 *
 * @param what came, as in "9 of 12 operations"
 */
export function writtenText(
  { folder, invocation }: CommandContext,
  target: string,
  manifest: string,
  what: string,
): string {
  const shown = printable(shownPath(folder, target));
  if (!invocation.flags.has("dry-run")) {
    return `Wrote ${shown} with ${what}. Next:\n\n  mcpwright generate\n`;
  }
  const added = manifest
    .trimEnd()
    .split("\n")
    .map((line) => `+${printable(line)}\n`);
  return `--- /dev/null\n+++ ${shown}\n@@ -0,0 +1,${added.length} @@\n${added.join("")}Would write ${shown} with ${what}.\n`;
}

/** The end of an import before which nothing was read. */
export function failed(
  { reporter }: CommandContext,
  diagnostics: readonly Diagnostic[],
  exitCode: ExitStatus,
): ExitStatus {
  reporter.diagnostics(diagnostics, new Map());
  reporter.document({ ok: false, exitCode, ...reporter.counted(diagnostics) });
  return exitCode;
}
