import { resolve } from "node:path";
import { compareWithServer } from "../../import/server/compare-server.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { SemanticChange } from "../../model/plan.js";
import { printable } from "../../text/printable.js";
import { compileBytes } from "../compile-manifest.js";
import { parseSource, readSource } from "../manifest-source.js";
import type { Sources } from "../report/diagnostics-text.js";
import { semanticSummary, semanticTextAt } from "../report/semantic-text.js";
import type { CommandContext } from "../command.js";
import type { ComparedNames } from "./compared-names.js";
import { askServer, serverNamed } from "./named-server.js";

/** What a comparison of a manifest with a living server came to. */
export interface ServerComparison {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
  /** Absent where nothing could be compared. */
  readonly changes?: readonly SemanticChange[];
}

/** Compares, and prints the changes. */
export async function diffServer(
  context: CommandContext,
  { manifest: name, url, isServerNewer }: ComparedNames,
): Promise<ServerComparison> {
  const { invocation, folder, reporter } = context;
  const source = parseSource(name, folder, resolve(folder, "mcp.yaml"));
  const compiled = compileBytes(source.shown, await readSource(source), invocation);
  const { diagnostics, sources, model } = compiled;
  if (model === undefined) return { diagnostics, sources };
  const named = serverNamed(context, url);
  if ("problem" in named) return { diagnostics: [...diagnostics, named.problem], sources };
  const asked = await askServer(context, named);
  if ("problem" in asked) return { diagnostics: [...diagnostics, asked.problem], sources };
  const { place } = named;
  const compared = compareWithServer(model(), asked.listed, isServerNewer, place);
  const all = [...diagnostics, ...compared.diagnostics];
  if (compared.changes === undefined) return { diagnostics: all, sources };
  const { changes } = compared;
  const shown = isServerNewer ? "server" : printable(source.shown);
  reporter.answer(semanticTextAt(changes, () => shown, reporter.paint));
  reporter.text(`${semanticSummary(changes)}\n`);
  return { diagnostics: all, sources, changes };
}
