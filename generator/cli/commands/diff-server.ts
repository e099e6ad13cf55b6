import { resolve } from "node:path";
import { compareWithServer } from "../../import/server/compare-server.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { SemanticChange } from "../../model/plan.js";
import { printable } from "../../text/printable.js";
import { compileBytes } from "../compile-manifest.js";
import { parseSource, readSource } from "../manifest-source.js";
import type { Sources } from "../report/diagnostics-text.js";
import { semanticSummary, semanticTextWithPlaces } from "../report/semantic-text.js";
import type { CommandContext } from "../command.js";
import type { ServerDiffArguments } from "./server-diff-arguments.js";
import { listNamedServer } from "./named-server.js";
import { serverOfCommandLine } from "./server-of-command-line.js";

/** The result of a comparison of a manifest with a running server. */
export interface ServerComparison {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
  /** Absent if the two could not be compared. */
  readonly changes?: readonly SemanticChange[];
}

/** Compares a manifest with a running server, and prints the changes. */
export async function diffServer(
  context: CommandContext,
  { manifest: name, url, isServerNewer }: ServerDiffArguments,
): Promise<ServerComparison> {
  const { invocation, folder, reporter } = context;
  const source = parseSource(name, folder, resolve(folder, "mcp.yaml"));
  const compiled = await compileBytes(source.shown, await readSource(source), invocation);
  const { diagnostics, sources, model } = compiled;
  if (model === undefined) return { diagnostics, sources };
  const server = serverOfCommandLine(context, url);
  if ("problem" in server) return { diagnostics: [...diagnostics, server.problem], sources };
  const listing = await listNamedServer(context, server);
  if ("problem" in listing) return { diagnostics: [...diagnostics, listing.problem], sources };
  const { place } = server;
  const compared = compareWithServer(model(), listing.listed, isServerNewer, place);
  const all = [...diagnostics, ...compared.diagnostics];
  if (compared.changes === undefined) return { diagnostics: all, sources };
  const { changes } = compared;
  const shown = isServerNewer ? "server" : printable(source.shown);
  reporter.answer(semanticTextWithPlaces(changes, () => shown, reporter.paint));
  reporter.text(`${semanticSummary(changes)}\n`);
  return { diagnostics: all, sources, changes };
}
