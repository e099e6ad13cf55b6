import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { manifestSchema } from "../../5-emit/fixed-files.js";
import { importOpenApi, type Imported } from "../../import/import-openapi.js";
import { readDocument } from "../../import/read-document.js";
import { countsByTag, type Selection } from "../../import/selection.js";
import {
  badOptionValue,
  initFailed,
  initTargetExists,
  unknownCommand,
} from "../../model/catalogue/command-line.js";
import { choiceNeeded, unreadableDocument } from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { printable } from "../../text/printable.js";
import { shownPath } from "../compile-manifest.js";
import { exitStatus, type ExitStatus } from "../exit-status.js";
import { writeStarter } from "../init/write-starter.js";
import { placeOf } from "../options.js";
import type { Sources } from "../report/diagnostics-text.js";
import type { Command, CommandContext } from "../run.js";

/** `mcpwright import openapi SPEC`: a manifest whose tools are the operations of a document. */
export const importCommand: Command = async (context) => {
  const { invocation, folder, reporter } = context;
  const [kind = "", spec] = invocation.positionals;
  const place = placeOf(invocation, "argument");
  if (kind !== "openapi" || spec === undefined) {
    const found =
      spec === undefined && kind === "openapi" ? "import openapi" : `import ${kind}`.trim();
    return failed(
      context,
      [unknownCommand(place, { found, nearest: "import openapi SPEC" })],
      exitStatus.wrong,
    );
  }
  const target = resolve(folder, invocation.values.get("out") ?? "mcp.yaml");
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
};

function targetProblem({ invocation }: CommandContext, target: string): Diagnostic | undefined {
  if (basename(target) !== "mcp.yaml") {
    const expected = "a path that ends in mcp.yaml";
    return badOptionValue(placeOf(invocation, "out"), { option: "--out", expected, found: target });
  }
  return existsSync(target)
    ? initTargetExists(placeOf(invocation, "out"), { path: target })
    : undefined;
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
  const { invocation, reporter } = context;
  const { manifest, diagnostics } = imported;
  const isDry = invocation.flags.has("dry-run");
  const problem =
    manifest === undefined || isDry
      ? undefined
      : writeStarter(placeOf(invocation, "out"), dirname(target), manifest, await manifestSchema());
  const all = problem === undefined ? diagnostics : [...diagnostics, problem];
  const isDone = manifest !== undefined && problem === undefined;
  const isDisk = problem?.code === initFailed.entry.code;
  const exitCode = isDone ? exitStatus.done : isDisk ? exitStatus.failed : exitStatus.wrong;
  reporter.diagnostics(all, sources);
  if (isDone) reporter.text(doneText(context, target, imported, manifest, isDry));
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

function doneText(
  { folder }: CommandContext,
  target: string,
  { tools, operations, wanted }: Imported,
  manifest: string,
  isDry: boolean,
): string {
  const shown = printable(shownPath(folder, target));
  const counted = `${tools.length} of ${operations.length} operations`;
  const lost = wanted.length - tools.length;
  const leftOut = lost === 0 ? "" : `, ${lost} left out as said above`;
  if (!isDry)
    return `Wrote ${shown} with ${counted}${leftOut}. Next:\n\n  npx mcpwright generate\n`;
  const added = manifest
    .trimEnd()
    .split("\n")
    .map((line) => `+${printable(line)}\n`);
  return `--- /dev/null\n+++ ${shown}\n@@ -0,0 +1,${added.length} @@\n${added.join("")}Would write ${shown} with ${counted}${leftOut}.\n`;
}

function tagsText({ wanted }: Imported): string {
  const lines = [...countsByTag(wanted)].map(
    ([tag, count]) => `${String(count).padStart(6)}  ${printable(tag)}\n`,
  );
  return `Operations by tag:\n\n${lines.join("")}`;
}

function failed(
  { reporter }: CommandContext,
  diagnostics: readonly Diagnostic[],
  exitCode: ExitStatus,
): ExitStatus {
  reporter.diagnostics(diagnostics, new Map());
  reporter.document({ ok: false, exitCode, ...reporter.counted(diagnostics) });
  return exitCode;
}
