import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { loadManifest } from "../../1-load/load.js";
import { readManifest } from "../../1-load/read.js";
import { canonicalManifest } from "../../3-normalize/canonical.js";
import { hashBytes } from "../../6-reconcile/content-hash.js";
import { FolderTree } from "../../6-reconcile/tree.js";
import { diskFiles } from "../../7-apply/file-layer.js";
import { splitImpossible } from "../../model/catalogue/command-line.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { wholeFile } from "../../model/place.js";
import type { FileOperation } from "../../model/plan.js";
import { decodeText } from "../../text/line-ends.js";
import { printable } from "../../text/printable.js";
import { compileBytes, compileManifest, shownPath } from "../compile-manifest.js";
import { exitStatus, statusOfProject } from "../exit-status.js";
import { failed } from "../report/failed.js";
import { fileDiffs } from "../report/file-diffs.js";
import { withNewParts } from "../split/new-parts.js";
import { splitText } from "../split/split-text.js";
import type { Command, CommandContext } from "../command.js";
import { writeFiles } from "../write-files.js";

/** `mcpwright split`: moves the sections of a manifest to files that it includes. What it means stays the same. */
export const split: Command = async (context) => {
  const { invocation, reporter } = context;
  const compiled = await compileManifest(context);
  const { file, folder, path, manifest, model, diagnostics, sources } = compiled;
  if (manifest === undefined || model === undefined) {
    reporter.diagnostics(diagnostics, sources);
    reporter.document({ ok: false, exitCode: exitStatus.wrong, ...reporter.counted(diagnostics) });
    return exitStatus.wrong;
  }
  const impossible = (reason: string): Diagnostic => splitImpossible(wholeFile(file), { reason });
  const result = await splitFiles(context, { path, file, folder }, manifest.value);
  if ("reason" in result) return failed(context, [impossible(result.reason)], exitStatus.wrong);
  const { operations } = result;
  const isDry = invocation.flags.has("dry-run");
  const failures = isDry ? [] : await writeFiles(folder, operations);
  if (failures.length > 0)
    return failed(context, failures, statusOfProject(failures) ?? exitStatus.failed);
  if (isDry && !invocation.flags.has("json")) {
    reporter.text(await fileDiffs(operations, new FolderTree(folder, diskFiles), reporter.paint));
  }
  const written = operations.map((one) => shownPath(context.folder, join(folder, one.path)));
  reporter.text(`${isDry ? "Would write" : "Wrote"} ${written.map(printable).join(", ")}.\n`);
  reporter.document({
    ok: true,
    exitCode: exitStatus.done,
    manifest: file,
    written,
    ...reporter.counted([]),
  });
  return exitStatus.done;
};

/** A manifest on the disk. `file` is its path as diagnostics carry it. */
interface Named {
  readonly path: string;
  readonly file: string;
  readonly folder: string;
}

/** The operations that split a manifest, or why it cannot be split. @param before its whole value */
async function splitFiles(
  context: CommandContext,
  { path, file, folder }: Named,
  before: JsonObject,
): Promise<{ readonly operations: readonly FileOperation[] } | { readonly reason: string }> {
  const out = context.invocation.values.get("out") ?? folder;
  const below = relative(folder, resolve(context.folder, out)).replaceAll("\\", "/") || ".";
  if (below.startsWith("..")) return { reason: "only files below its folder can be included" };
  const { bytes, parts } = readManifest(path, file);
  const own = bytes && loadManifest(file, bytes).manifest;
  if (bytes === undefined || own === undefined) return { reason: "it has just changed" };
  const texts = splitText(own, below);
  if ("reason" in texts) return texts;
  const taken = [...texts.parts.keys()].find((part) => existsSync(join(folder, part)));
  if (taken !== undefined) return { reason: `${taken} exists` };
  const mark = decodeText(bytes)?.mark ?? "";
  const content = Buffer.from(mark + texts.manifest);
  const read = {
    bytes: content,
    diagnostics: [],
    ...(parts && { parts: withNewParts(parts, texts.parts) }),
  };
  const after = await compileBytes(file, read, { flags: new Set() });
  const [error] = after.diagnostics.filter(({ severity }) => severity === "error");
  if (error !== undefined) return { reason: `${error.file} would be wrong: ${error.message}` };
  const [one, other] = [before, after.manifest?.value ?? {}].map(canonicalManifest);
  if (!isDeepStrictEqual(one, other)) return { reason: "the result would be another manifest" };
  const added = [...texts.parts].map(([part, text]): FileOperation => ({
    kind: "write",
    path: part,
    content: Buffer.from(text),
  }));
  const name = basename(path);
  const change: FileOperation = { kind: "write", path: name, content, before: hashBytes(bytes) };
  return { operations: [...added, change] };
}
