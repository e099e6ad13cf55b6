import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { importOpenApi, type ImportResult } from "../../import/import-openapi.js";
import { countsByTag } from "../../import/selection.js";
import { RECORD_PATH, writeRecord } from "../../import/update/import-record.js";
import { unknownCommand, unknownOption } from "../../model/catalogue/command-line.js";
import { choiceNeeded, unreadableDocument } from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { placeOf, type Invocation } from "../options.js";
import type { OptionName } from "../specification.js";
import { withinMemory } from "../memory-bound.js";
import type { Sources } from "../report/diagnostics-text.js";
import { failed } from "../report/failed.js";
import type { Command, CommandContext } from "../command.js";
import { askTags, tagsText } from "./import-choice.js";
import { readDocument } from "./import-document.js";
import { listOperations } from "./import-list.js";
import { selectionOf } from "./import-selection.js";
import { importServerCommand } from "./import-server.js";
import { nameProblem, successText, targetOf, writeImported } from "./import-target.js";
import { updateImports } from "./import-update.js";

/** `mcpwright import`: writes a manifest from an OpenAPI document or a running server, or updates such a manifest. */
export const importCommand: Command = (context) => {
  const { reporter, invocation } = context;
  const problem = unreadableDocument(placeOf(invocation, "argument"), {
    path: invocation.positionals[1] ?? "what is imported",
    reason: "that needs more than 1 GB of memory; nothing was written",
  });
  return withinMemory(reporter, problem, () => importNamed(context));
};

/** Imports what the command line names. */
const importNamed: Command = async (context) => {
  const { invocation } = context;
  const [kind, spec] = invocation.positionals;
  const misplaced = misplacedOptions(invocation);
  if (misplaced.length > 0) return failed(context, misplaced, exitStatus.wrong);
  if (kind === "server" && spec === undefined) return importServerCommand(context);
  const target = targetOf(context);
  const isListing = invocation.flags.has("list");
  if (kind === "openapi" && spec !== undefined) {
    const problem = nameProblem(context, target);
    if (problem !== undefined) return failed(context, [problem], exitStatus.wrong);
    if (isListing) return listOperations(context, target, spec);
    return existsSync(target)
      ? updateImports(context, target, spec)
      : importDocument(context, target, spec);
  }
  if (kind === undefined && existsSync(target)) {
    return isListing
      ? listOperations(context, target, undefined)
      : updateImports(context, target, undefined);
  }
  const found =
    spec === undefined && kind === "openapi" ? "import openapi" : `import ${kind ?? ""}`;
  const nearest = kind === "server" ? "import server --url URL" : "import openapi SPEC";
  const wrong = unknownCommand(placeOf(invocation, "argument"), { found: found.trim(), nearest });
  return failed(context, [wrong], exitStatus.wrong);
};

const SERVER_OPTIONS: readonly OptionName[] = ["url", "header", "proxy"];
const DOCUMENT_OPTIONS: readonly OptionName[] = [
  ...(["tag", "path", "method", "operation", "exclude"] as const),
  ...(["list", "prune", "no-output"] as const),
];

/** The options that have no meaning for what is imported. */
function misplacedOptions(invocation: Invocation): Diagnostic[] {
  const isServer = invocation.positionals[0] === "server";
  const command = isServer ? "import server" : "import openapi";
  return (isServer ? DOCUMENT_OPTIONS : SERVER_OPTIONS)
    .filter((name) => invocation.indices.has(name))
    .map((name) => unknownOption(placeOf(invocation, name), { found: `--${name}`, command }));
}

/** `mcpwright import openapi SPEC`: writes a new manifest, whose tools are the operations of a document. */
async function importDocument(
  context: CommandContext,
  target: string,
  spec: string,
): Promise<ExitStatus> {
  const { invocation, folder } = context;
  const read = readDocument(context, dirname(target), resolve(folder, spec));
  if ("problem" in read) return failed(context, [read.problem], exitStatus.wrong);
  const { document, recordedPath } = read;
  const options = {
    withOutput: !invocation.flags.has("no-output"),
    recordedPath,
    place: placeOf(invocation, "argument"),
  };
  const chosen = selectionOf(context, [document]);
  if ("problems" in chosen) return failed(context, chosen.problems, exitStatus.wrong);
  const { selection } = chosen;
  let imported = importOpenApi(document, { ...options, selection });
  if (needsChoice(imported)) {
    const tags = await askTags(context, imported.selected);
    if (tags === "given up") return exitStatus.interrupted;
    if (tags !== undefined) {
      imported = importOpenApi(document, { ...options, selection: { ...selection, tags } });
    }
  }
  return finish(context, target, imported, new Map([[document.file, document.text]]));
}

const needsChoice = ({ diagnostics }: ImportResult): boolean =>
  diagnostics.some(({ code }) => code === choiceNeeded.entry.code);

async function finish(
  context: CommandContext,
  target: string,
  imported: ImportResult,
  sources: Sources,
): Promise<ExitStatus> {
  const { reporter } = context;
  const { manifest, record, diagnostics } = imported;
  const others = record === undefined ? [] : ([[RECORD_PATH, writeRecord(record)]] as const);
  const { exitCode, problem } = await writeImported(context, target, manifest, new Map(others));
  const all = problem === undefined ? diagnostics : [...diagnostics, problem];
  const isDone = exitCode === exitStatus.done;
  reporter.diagnostics(all, sources);
  if (isDone && manifest !== undefined)
    reporter.text(successText(context, target, manifest, countedText(imported)));
  else if (needsChoice(imported)) reporter.text(tagsText(imported.selected));
  reporter.document({
    ok: isDone,
    exitCode,
    manifest: target,
    operations: imported.operations.length,
    imported: imported.tools,
    tags: Object.fromEntries(countsByTag(imported.selected)),
    ...reporter.counted(all),
  });
  return exitCode;
}

function countedText({ tools, operations, selected }: ImportResult): string {
  const omitted = selected.length - tools.length;
  const leftOut = omitted === 0 ? "" : `, ${omitted} left out as said above`;
  return `${tools.length} of ${operations.length} operations${leftOut}`;
}
