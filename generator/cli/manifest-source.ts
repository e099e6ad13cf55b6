import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { LIMITS } from "../1-load/limits.js";
import { loadManifest } from "../1-load/load.js";
import { readManifest, type ReadResult } from "../1-load/read.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import { revisionUnreadable } from "../model/catalogue/command-line.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import { shownPath } from "./compile-manifest.js";
import type { Sources } from "./report/diagnostics-text.js";

/** A manifest that a command line names: a file, or what git has of one at a revision. */
export interface ManifestSource {
  /** Absolute. */
  readonly path: string;
  readonly revision?: string;
  /** As diagnostics carry it. */
  readonly shown: string;
}

/**
 * Reads `path`, `git:REV` or `git:REV:path`.
 *
 * @param folder where relative paths start
 * @param otherwise absolute path that `git:REV` alone means
 */
export function parseSource(text: string, folder: string, otherwise: string): ManifestSource {
  const [, revision, named] = /^git:([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (revision === undefined) {
    const path = resolve(folder, text);
    return { path, shown: shownPath(folder, path) };
  }
  const path = named ? resolve(folder, named) : otherwise;
  return { path, revision, shown: `git:${revision}:${shownPath(folder, path)}` };
}

/** The bytes of a manifest. Git is started only for a revision. */
export async function readSource({ path, revision, shown }: ManifestSource): Promise<ReadResult> {
  if (revision === undefined) return readManifest(path, shown);
  const shownByGit = await readRevision(revision, path);
  if ("bytes" in shownByGit) return { bytes: shownByGit.bytes, diagnostics: [] };
  const place = { file: shown, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { diagnostics: [revisionUnreadable(place, shownByGit)] };
}

/** A manifest to compare with: it need not be valid any more, only be one YAML mapping. */
export interface FormerManifest {
  /** Absent when it could not be read or loaded. */
  readonly canonical?: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

export async function loadFormer(source: ManifestSource): Promise<FormerManifest> {
  const { bytes, diagnostics } = await readSource(source);
  if (bytes === undefined) return { diagnostics, sources: new Map() };
  const loaded = loadManifest(source.shown, bytes);
  const sources = new Map([[source.shown, new TextDecoder().decode(bytes)]]);
  if (loaded.manifest === undefined) return { diagnostics: loaded.diagnostics, sources };
  return { canonical: canonicalManifest(loaded.manifest.value), diagnostics: [], sources };
}

type Revision = { readonly bytes: Uint8Array } | { readonly reason: string };

async function readRevision(revision: string, path: string): Promise<Revision> {
  // Nothing may be taken for an option of git.
  if (/^(-|$)/.test(revision)) return { reason: `"${revision}" is no revision` };
  const folder = nearestFolder(dirname(path));
  const object = `${revision}:./${relative(folder, path).replaceAll("\\", "/")}`;
  // Git knows no links: it is asked from where the file really is, which finds its repository too.
  const found = await runGit(realpathSync(folder), "cat-file", "blob", object);
  if ("bytes" in found) return found;
  const hint = (await isShallow(folder)) ? `; ${SHALLOW}` : "";
  return { reason: found.reason + hint };
}

const SHALLOW =
  "this clone is shallow, so that most revisions are missing: `git fetch --unshallow --tags` gets them";

/** The folder itself, or the nearest one above it that is still there. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

async function isShallow(folder: string): Promise<boolean> {
  const answer = await runGit(folder, "rev-parse", "--is-shallow-repository");
  return "bytes" in answer && answer.bytes.toString().trim() === "true";
}

function runGit(
  folder: string,
  ...parameters: string[]
): Promise<{ readonly bytes: Buffer } | { readonly reason: string }> {
  // A partial clone must not make git fetch what it lacks.
  const env = { ...process.env, LC_ALL: "C", GIT_NO_LAZY_FETCH: "1" };
  const options = { cwd: folder, env, encoding: "buffer", maxBuffer: LIMITS.fileBytes } as const;
  return new Promise((done) => {
    execFile("git", parameters, options, (error, stdout, stderr) => {
      done(error === null ? { bytes: stdout } : { reason: reasonOf(error, stderr.toString()) });
    });
  });
}

function reasonOf(error: { readonly code?: unknown }, said: string): string {
  if (error.code === "ENOENT") return "git could not be started";
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "it is too large for a manifest";
  const [line = ""] = said.split("\n");
  if (line.endsWith(": bad file")) return "there is a folder of that name, and no file";
  return line.replace(/^fatal: /, "").replace(/\.$/, "") || `git ended with ${String(error.code)}`;
}
