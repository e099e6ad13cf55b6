import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { loadWithParts } from "../1-load/load-parts.js";
import { readManifest } from "../1-load/read.js";
import type { ReadResult } from "../1-load/read-result.js";
import { applySeverities } from "../2-validate/severities.js";
import { validateManifest } from "../2-validate/validate.js";
import { normalize } from "../3-normalize/normalize.js";
import { checkLists } from "../listing/check-lists.js";
import { withFixes } from "../fix/edits.js";
import { inFileOrder, type Diagnostic } from "../model/diagnostic.js";
import { validManifest, type LoadedManifest } from "../model/loaded-manifest.js";
import { withSelectedOutputs } from "../bodies/selecting-tools.js";
import type { ServerModel } from "../model/server-model.js";
import type { Sources } from "./report/diagnostics-text.js";
import type { Invocation } from "./options.js";
import type { CommandContext } from "./command.js";
import { checkResourceFiles } from "./resource-files.js";
import type { SkillProblems } from "./skill-files.js";

/** The manifest that a command line names, as far as it could be read, loaded, validated and normalized. */
export interface CompiledManifest {
  /** Path as diagnostics show it: relative to the folder of the run, or absolute if it is outside. */
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of the manifest and of the files that it includes, for code frames. */
  readonly sources: Sources;
  readonly manifest?: LoadedManifest;
  /** The manifest as its files have it: without what follows from it, such as the schemas of selected results. */
  readonly written?: LoadedManifest;
  /**
   * Makes the model at the first call, since a project that is up to date needs none. Absent if there is an
   * error.
   */
  readonly model?: () => ServerModel;
}

/** A compiled manifest with its place on the disk. Symbolic links to its folder are resolved. */
export interface ManifestOnDisk extends CompiledManifest {
  /** The folder of the manifest. Absolute, as `path` is. */
  readonly folder: string;
  readonly path: string;
}

/** Reads, loads and validates the manifest that a command line names. */
export async function compileManifest(context: CommandContext): Promise<ManifestOnDisk> {
  const path = manifestPath(context);
  const file = shownPath(context.folder, path);
  const read = readManifest(path, file);
  const folder = realFolder(dirname(path));
  const compiled = await withNamedFiles(
    await compileBytes(file, read, context.invocation),
    context,
    folder,
  );
  return { ...compiled, folder, path: join(folder, basename(path)) };
}

/** A compiled manifest with the problems of the files and folders that it names for resources and skills. */
async function withNamedFiles(
  compiled: CompiledManifest,
  context: CommandContext,
  folder: string,
): Promise<CompiledManifest> {
  const { manifest, model } = compiled;
  if (manifest === undefined || model === undefined) return compiled;
  const ofSkills = await skillProblems(manifest, context, folder);
  const found = applySeverities(manifest, [
    ...checkResourceFiles(manifest, folder),
    ...ofSkills.diagnostics,
  ]);
  if (found.length === 0) return compiled;
  const isStrict = context.invocation.flags.has("strict");
  const diagnostics = [...compiled.diagnostics, ...(isStrict ? found.map(asError) : found)];
  const { model: _model, ...rest } = compiled;
  return {
    ...rest,
    diagnostics,
    sources: new Map([...compiled.sources, ...ofSkills.sources]),
    ...(!diagnostics.some(isError) && { model }),
  };
}

async function skillProblems(
  manifest: LoadedManifest,
  context: CommandContext,
  folder: string,
): Promise<SkillProblems> {
  if (manifest.value["skills"] === undefined) return { diagnostics: [], sources: new Map() };
  const { checkSkillFiles } = await import("./skill-files.js");
  const shown = (path: string): string => shownPath(context.folder, join(folder, path));
  return checkSkillFiles(manifest, folder, shown);
}

/** The absolute path of the manifest that a command line names: `mcp.yaml` if it names none. */
export function manifestPath({ invocation, folder }: CommandContext): string {
  return resolve(folder, invocation.positionals[0] ?? "mcp.yaml");
}

/**
 * Loads and validates a manifest from its bytes.
 *
 * @param file the path that diagnostics show
 */
export async function compileBytes(
  file: string,
  { bytes, diagnostics: readProblems, parts }: ReadResult,
  { flags }: Pick<Invocation, "flags">,
): Promise<CompiledManifest> {
  if (bytes === undefined) return { file, diagnostics: readProblems, sources: new Map() };
  const loaded = await loadWithParts(file, bytes, parts);
  const { manifest: written, diagnostics: loadProblems, texts: sources } = loaded;
  const manifest = written && withSelectedOutputs(written);
  const fixable = (problems: readonly Diagnostic[]): readonly Diagnostic[] =>
    withFixes(sources, problems);
  if (manifest === undefined) return { file, diagnostics: fixable(loadProblems), sources };

  const found = [...applySeverities(manifest, loadProblems), ...validateManifest(manifest)];
  const { value } = manifest;
  let cachedModel: ServerModel | undefined;
  const model = (): ServerModel => (cachedModel ??= normalize(validManifest(value)));
  const ofLists = found.some(isError) ? [] : await checkLists(manifest, model);
  const problems = fixable(inFileOrder([...found, ...applySeverities(manifest, ofLists)]));
  const diagnostics = flags.has("strict") ? problems.map(asError) : problems;
  const compiled = { file, diagnostics, sources, manifest, ...(written && { written }) };
  return diagnostics.some(isError) ? compiled : { ...compiled, model };
}

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/**
 * A folder with its symbolic links resolved. A manifest can be named through a link, but its project is in the
 * real folder. A folder that does not exist is returned unchanged.
 */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function asError(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "error" };
}

/** A path as it is shown to people: relative to the folder of the run, or absolute if it is outside. */
export function shownPath(folder: string, path: string): string {
  const withShownPaths = relative(folder, path);
  return withShownPaths === "" || withShownPaths.startsWith("..")
    ? path
    : withShownPaths.replaceAll("\\", "/");
}
