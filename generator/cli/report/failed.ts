import type { Diagnostic } from "../../model/diagnostic.js";
import type { ExitStatus } from "../exit-status.js";
import type { Reporter } from "./reporter.js";

/** Reports why a command failed, in the text and in the document of `--json`. Returns the exit status. */
export function failed(
  { reporter }: { readonly reporter: Reporter },
  diagnostics: readonly Diagnostic[],
  exitCode: ExitStatus,
): ExitStatus {
  reporter.diagnostics(diagnostics, new Map());
  reporter.document({ ok: false, exitCode, ...reporter.counted(diagnostics) });
  return exitCode;
}
