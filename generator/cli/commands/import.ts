import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { importOpenApi, type Imported } from "../../import/import-openapi.js";
import { readDocument } from "../../import/read-document.js";
import { countsByTag, type Selection } from "../../import/selection.js";
import { unknownCommand } from "../../model/catalogue/command-line.js";
import { choiceNeeded, unreadableDocument } from "../../model/catalogue/imports.js";
import { printable } from "../../text/printable.js";
import { shownPath } from "../compile-manifest.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { placeOf } from "../options.js";
import type { Sources } from "../report/diagnostics-text.js";
import type { Command, CommandContext } from "../run.js";
import { importServerCommand } from "./import-server.js";
import { failed, targetOf, targetProblem, writeImported, writtenText } from "./import-target.js";

/** `mcpwright import`: a manifest of what exists already. */
export const importCommand: Command = async (context) => {
  const { invocation } = context;
  const [kind = "", spec] = invocation.positionals;
  if (kind === "server" && spec === undefined) return importServerCommand(context);
  if (kind === "openapi" && spec !== undefined) return importDocument(context, spec);
  const found =
    spec === undefined && kind === "openapi" ? "import openapi" : `import ${kind}`.trim();
  const nearest = kind === "server" ? "import server --url URL" : "import openapi SPEC";
  const wrong = unknownCommand(placeOf(invocation, "argument"), { found, nearest });
  return failed(context, [wrong], exitStatus.wrong);
};

/** `mcpwright import openapi SPEC`: a manifest whose tools are the operations of a document. */
async function importDocument(context: CommandContext, spec: string): Promise<ExitStatus> {
  const { invocation, folder, reporter } = context;
  const place = placeOf(invocation, "argument");
  const target = targetOf(context);
  const problem = targetProblem(context, target);
  if (problem !== undefined) return failed(context, [problem], exitStatus.wrong);
  const path = resolve(folder, spec);
  const shown = shownPath(folder, path);
  reporter.progress(`reading ${shown}`);
  const bytes = readBytes(path);
  if (typeof bytes === "string") {
    return failed(
      context,
      [unreadableDocument(place, { path: shown, reason: bytes })],
      exitStatus.wrong,
    );
  }
  const read = readDocument(shown, bytes);
  if ("problem" in read) return failed(context, [read.problem], exitStatus.wrong);
  const { document } = read;
  const imported = importOpenApi(document, {
    selection: selectionOf(context),
    withOutput: !invocation.flags.has("no-output"),
    recordedPath: relative(dirname(target), path).replaceAll("\\", "/"),
    place,
  });
  return finish(context, target, imported, new Map([[shown, document.text]]));
}

/** The bytes of a file, or the code of what is wrong with it. */
function readBytes(path: string): Uint8Array | string {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

/** Each option may be given more than once, and holds a list with commas. */
function selectionOf({ invocation }: CommandContext): Selection {
  const list = (name: "tag" | "path" | "method" | "operation" | "exclude") =>
    (invocation.lists.get(name) ?? [])
      .flatMap((text) => text.split(","))
      .map((text) => text.trim());
  return {
    tags: list("tag"),
    paths: list("path"),
    methods: list("method"),
    operations: list("operation"),
    exclude: list("exclude"),
  };
}

async function finish(
  context: CommandContext,
  target: string,
  imported: Imported,
  sources: Sources,
): Promise<ExitStatus> {
  const { reporter } = context;
  const { manifest, diagnostics } = imported;
  const { exitCode, problem } = await writeImported(context, target, manifest);
  const all = problem === undefined ? diagnostics : [...diagnostics, problem];
  const isDone = exitCode === exitStatus.done;
  reporter.diagnostics(all, sources);
  if (isDone && manifest !== undefined)
    reporter.text(writtenText(context, target, manifest, countedText(imported)));
  else if (diagnostics.some(({ code }) => code === choiceNeeded.entry.code))
    reporter.text(tagsText(imported));
  reporter.document({
    ok: isDone,
    exitCode,
    manifest: target,
    operations: imported.operations.length,
    imported: imported.tools,
    tags: Object.fromEntries(countsByTag(imported.wanted)),
    ...reporter.counted(all),
  });
  return exitCode;
}

function countedText({ tools, operations, wanted }: Imported): string {
  const lost = wanted.length - tools.length;
  const leftOut = lost === 0 ? "" : `, ${lost} left out as said above`;
  return `${tools.length} of ${operations.length} operations${leftOut}`;
}

function tagsText({ wanted }: Imported): string {
  const lines = [...countsByTag(wanted)].map(
    ([tag, count]) => `${String(count).padStart(6)}  ${printable(tag)}\n`,
  );
  return `Operations by tag:\n\n${lines.join("")}`;
}
