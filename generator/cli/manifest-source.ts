import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { LIMITS } from "../1-load/limits.js";
import { loadWithParts } from "../1-load/load-parts.js";
import { describesPath } from "../1-load/part-files.js";
import { readManifest } from "../1-load/read.js";
import type { PartFiles, ReadResult } from "../1-load/read-result.js";
import { withSelectedOutputs } from "../bodies/selecting-tools.js";
import { validateManifest } from "../2-validate/validate.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import { normalize } from "../3-normalize/normalize.js";
import { revisionUnreadable } from "../model/catalogue/command-line.js";
import { wholeFile } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import { validManifest } from "../model/loaded-manifest.js";
import type { ServerModel } from "../model/server-model.js";
import { shownPath } from "./compile-manifest.js";
import type { Sources } from "./report/diagnostics-text.js";

/** A manifest that a command line names: a file on the disk, or a file at a revision of git. */
export interface ManifestSource {
  /** Absolute. */
  readonly path: string;
  /** Absent for a file on the disk. */
  readonly revision?: string;
  /** The name that diagnostics show as their file. */
  readonly shown: string;
}

/**
 * Parses `path`, `git:REV` or `git:REV:path`.
 *
 * @param folder folder that relative paths are relative to
 * @param defaultPath absolute path of the manifest that `git:REV` without a path means
 */
export function parseSource(text: string, folder: string, defaultPath: string): ManifestSource {
  const [, revision, relativePath] = /^git:([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (revision === undefined) {
    const path = resolve(folder, text);
    return { path, shown: shownPath(folder, path) };
  }
  const path = relativePath ? resolve(folder, relativePath) : defaultPath;
  return { path, revision, shown: `git:${revision}:${shownPath(folder, path)}` };
}

/** Reads the bytes of a manifest. A problem becomes a diagnostic. Starts git only if a revision is named. */
export async function readSource({ path, revision, shown }: ManifestSource): Promise<ReadResult> {
  if (revision === undefined) return readManifest(path, shown);
  const answer = await readRevision(revision, path);
  if (!("bytes" in answer)) return { diagnostics: [revisionUnreadable(wholeFile(shown), answer)] };
  return { bytes: answer.bytes, diagnostics: [], parts: partsOfRevision(path, revision, shown) };
}

/** The files beside a manifest at a revision. */
function partsOfRevision(manifest: string, revision: string, shownManifest: string): PartFiles {
  const [folder, name] = [dirname(manifest), basename(manifest)];
  const shown = (path: string): string => shownManifest.slice(0, -name.length) + path;
  let paths: Promise<GitAnswer> | undefined;
  return {
    find: async (pattern) => {
      const answer = await (paths ??= listRevision(revision, folder));
      if (!("bytes" in answer)) return answer;
      const all = answer.bytes.toString().split("\0");
      return all.filter((path) => path !== name && describesPath(pattern, path)).sort();
    },
    read: (path) => readSource({ path: join(folder, path), revision, shown: shown(path) }),
    shown,
  };
}

/** The paths of all files below a folder at a revision, relative to it, each with a NUL after it. */
async function listRevision(revision: string, folder: string): Promise<GitAnswer> {
  const nearest = nearestFolder(folder);
  const below = relative(nearest, folder).replaceAll("\\", "/");
  const tree = `${revision}:./${below}`;
  return runGit(realpathSync(nearest), "ls-tree", "-r", "-z", "--name-only", "--full-tree", tree);
}

/** The older of two manifests that are compared. It must be one YAML mapping, but need not be valid. */
export interface FormerManifest {
  /** The manifest in canonical form. Absent if it could not be read or loaded. */
  readonly canonical?: JsonObject;
  /** Makes its model. Absent if the manifest is not valid. */
  readonly model?: () => ServerModel;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

/** Reads and loads a manifest without validating it. */
export async function loadFormerManifest(source: ManifestSource): Promise<FormerManifest> {
  const { bytes, diagnostics, parts } = await readSource(source);
  if (bytes === undefined) return { diagnostics, sources: new Map() };
  const loaded = await loadWithParts(source.shown, bytes, parts);
  const { texts: sources } = loaded;
  if (loaded.manifest === undefined) return { diagnostics: loaded.diagnostics, sources };
  const manifest = withSelectedOutputs(loaded.manifest);
  const canonical = canonicalManifest(manifest.value);
  const isValid = !validateManifest(manifest).some(({ severity }) => severity === "error");
  const model = (): ServerModel => normalize(validManifest(canonical));
  return { canonical, ...(isValid && { model }), diagnostics: [], sources };
}

/** The output of git, or the reason why there is none. */
type GitAnswer = { readonly bytes: Buffer } | { readonly reason: string };

async function readRevision(revision: string, path: string): Promise<GitAnswer> {
  // Git would read a revision that begins with a hyphen as an option.
  if (/^(-|$)/.test(revision)) return { reason: `"${revision}" is no revision` };
  const folder = nearestFolder(dirname(path));
  const object = `${revision}:./${relative(folder, path).replaceAll("\\", "/")}`;
  // Git does not follow symbolic links. It runs in the real folder, from which it also finds the repository.
  const answer = await runGit(realpathSync(folder), "cat-file", "blob", object);
  if ("bytes" in answer) return answer;
  const hint = (await isShallow(folder)) ? `; ${SHALLOW}` : "";
  return { reason: answer.reason + hint };
}

const SHALLOW =
  "this clone is shallow, so that most revisions are missing: `git fetch --unshallow --tags` gets them";

/** The folder itself, or its nearest parent that exists. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

async function isShallow(folder: string): Promise<boolean> {
  const answer = await runGit(folder, "rev-parse", "--is-shallow-repository");
  return "bytes" in answer && answer.bytes.toString().trim() === "true";
}

function runGit(folder: string, ...parameters: string[]): Promise<GitAnswer> {
  // In a partial clone, git must not fetch missing objects, by a program that the repository's configuration may name.
  // Versions before 2.45 do not know the first variable. The second allows no protocol but one that does not exist.
  const safety = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
  const env = { ...process.env, LC_ALL: "C", ...safety };
  const options = { cwd: folder, env, encoding: "buffer", maxBuffer: LIMITS.fileBytes } as const;
  return new Promise((done) => {
    execFile("git", parameters, options, (error, stdout, stderr) => {
      done(error === null ? { bytes: stdout } : { reason: reasonOf(error, stderr.toString()) });
    });
  });
}

function reasonOf(error: { readonly code?: unknown }, stderr: string): string {
  if (error.code === "ENOENT") return "git could not be started";
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it is too large for a manifest";
  const [line = ""] = stderr.split("\n");
  if (line.endsWith(": bad file")) return "there is a folder of that name, and no file";
  return line.replace(/^fatal: /, "").replace(/\.$/, "") || `git ended with ${String(error.code)}`;
}
