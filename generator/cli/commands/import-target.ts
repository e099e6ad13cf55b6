import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
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

/** The absolute path of the manifest that an import writes. */
export function targetOf({ invocation, folder }: CommandContext): string {
  return resolve(folder, invocation.values.get("out") ?? "mcp.yaml");
}

/** Why no new manifest can be written there. Checked before anything is read. */
export function targetProblem(context: CommandContext, target: string): Diagnostic | undefined {
  const problem = nameProblem(context, target);
  if (problem !== undefined || !existsSync(target)) return problem;
  const instead =
    "`mcpwright diff` shows how the server differs from it; --out names another path to write to";
  return initTargetExists(placeOf(context.invocation, "out"), { path: target, instead });
}

/** Why a path cannot be the path of a manifest. */
export function nameProblem(
  { invocation }: CommandContext,
  target: string,
): Diagnostic | undefined {
  if (basename(target) === "mcp.yaml") return undefined;
  const expected = "a path that ends in mcp.yaml";
  return badOptionValue(placeOf(invocation, "out"), { option: "--out", expected, found: target });
}

/** The result of writing an imported manifest. */
export interface WriteResult {
  readonly exitCode: ExitStatus;
  /** Why it could not be written. */
  readonly problem?: Diagnostic;
}

/**
 * Writes an imported manifest. Writes nothing if there is no manifest, or with `--dry-run`.
 *
 * @param manifest the text of the manifest
 * @param others texts of files that are written beside it, by their names
 */
export async function writeImported(
  { invocation }: CommandContext,
  target: string,
  manifest: string | undefined,
  others?: ReadonlyMap<string, string>,
): Promise<WriteResult> {
  if (manifest === undefined) return { exitCode: exitStatus.wrong };
  if (invocation.flags.has("dry-run")) return { exitCode: exitStatus.done };
  const place = placeOf(invocation, "out");
  const problem = writeStarter(place, dirname(target), manifest, others);
  if (problem === undefined) return { exitCode: exitStatus.done };
  const isDisk = problem.code === initFailed.entry.code;
  return { exitCode: isDisk ? exitStatus.failed : exitStatus.wrong, problem };
}

/**
 * The report of a successful import for people. With `--dry-run` it shows the manifest as a diff.
 *
 * @param content what was imported, as in "9 of 12 operations"
 */
export function successText(
  { folder, invocation }: CommandContext,
  target: string,
  manifest: string,
  content: string,
): string {
  const shown = printable(shownPath(folder, target));
  if (!invocation.flags.has("dry-run")) {
    return `Wrote ${shown} with ${content}. Next:\n\n  mcpwright generate\n`;
  }
  const added = manifest
    .trimEnd()
    .split("\n")
    .map((line) => `+${printable(line)}\n`);
  return `--- /dev/null\n+++ ${shown}\n@@ -0,0 +1,${added.length} @@\n${added.join("")}Would write ${shown} with ${content}.\n`;
}
