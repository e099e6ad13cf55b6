import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { loadManifest } from "../1-load/load.js";
import { readManifest, type ReadResult } from "../1-load/read.js";
import { applySeverities } from "../2-validate/severities.js";
import { inFileOrder, validateManifest } from "../2-validate/validate.js";
import { normalize } from "../3-normalize/normalize.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import type { Manifest } from "../model/manifest.js";
import type { ServerModel } from "../model/server-model.js";
import type { Sources } from "./report/diagnostics-text.js";
import type { Invocation } from "./options.js";
import type { CommandContext } from "./command.js";

/** What became of the manifest that a command line names. */
export interface CompiledManifest {
  /** Path as diagnostics carry it: relative to the folder of the run where that is shorter. */
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  /** For code frames. */
  readonly sources: Sources;
  readonly manifest?: LoadedManifest;
  /** Made when it is first asked for, since a project that is current needs none. Absent when there is an error. */
  readonly model?: () => ServerModel;
}

/** Where it really is, links to its folder followed. */
export interface ManifestOnDisk extends CompiledManifest {
  /** Absolute, like `path`. */
  readonly folder: string;
  readonly path: string;
}

/** Manifests in which nothing was found, by their bytes. */
export interface SoundManifests {
  readonly isSound: (manifest: Uint8Array) => boolean;
  readonly keepSound: (manifest: Uint8Array) => void;
}

/** Reads, loads and validates the manifest of a command line: `./mcp.yaml` unless one is named. */
export function compileManifest(context: CommandContext, sound?: SoundManifests): ManifestOnDisk {
  const { invocation, folder } = context;
  const path = resolve(folder, invocation.positionals[0] ?? "mcp.yaml");
  const file = shownPath(folder, path);
  const read = readManifest(path, file);
  const compiled = compileBytes(file, read, invocation, sound);
  const place = manifestFolder(context);
  return { ...compiled, folder: place, path: join(place, basename(path)) };
}

/** The folder of the manifest of a command line, links followed. */
export function manifestFolder({ invocation, folder }: CommandContext): string {
  return realFolder(dirname(resolve(folder, invocation.positionals[0] ?? "mcp.yaml")));
}

/** Loads and validates a manifest as far as it could be read. */
export function compileBytes(
  file: string,
  { bytes, diagnostics: readProblems }: ReadResult,
  { flags }: Pick<Invocation, "flags">,
  sound?: SoundManifests,
): CompiledManifest {
  if (bytes === undefined) return { file, diagnostics: readProblems, sources: new Map() };
  const { manifest, diagnostics: loadProblems } = loadManifest(file, bytes);
  const sources = new Map([[file, manifest?.text ?? new TextDecoder().decode(bytes)]]);
  if (manifest === undefined) return { file, diagnostics: loadProblems, sources };

  const judged = inFileOrder([
    ...applySeverities(manifest, loadProblems),
    ...(sound?.isSound(bytes) === true ? [] : validateManifest(manifest)),
  ]);
  if (judged.length === 0) sound?.keepSound(bytes);
  const diagnostics = flags.has("strict") ? judged.map(asError) : judged;
  const compiled = { file, diagnostics, sources, manifest };
  if (diagnostics.some(({ severity }) => severity === "error")) return compiled;
  const { value } = manifest;
  let model: ServerModel | undefined;
  return {
    ...compiled,
    model: () => (model ??= normalize(value as unknown as Manifest)),
  };
}

/** A manifest may be reached through a link; its project stands where the folder really is. */
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

/** A path as people know it: relative to the folder of the run, unless it is outside. */
export function shownPath(folder: string, path: string): string {
  const fromFolder = relative(folder, path);
  return fromFolder === "" || fromFolder.startsWith("..") ? path : fromFolder.replaceAll("\\", "/");
}
