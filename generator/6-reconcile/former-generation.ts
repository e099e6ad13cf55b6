import { normalize } from "../3-normalize/normalize.js";
import { formerTools, type FormerGeneration } from "../5-emit/former/former-generation.js";
import type { JsonObject } from "../model/json.js";
import type { Manifest } from "../model/manifest.js";
import type { ServerModel } from "../model/server-model.js";
import { withLineFeeds } from "./content-hash.js";
import { isPristine } from "./decision.js";
import { catchingDiskErrors } from "./disk-failure.js";
import { isGeneratedBy, type GeneratorIdentity } from "./is-current.js";
import type { Lock } from "./lock.js";
import type { LockState } from "./read-lock.js";
import type { ProjectTree } from "./tree.js";

/**
 * What the last generation made, as far as emitting can rely on it: the very same generator made it, of
 * the manifest that is in the lock, and the file is as it was left. `undefined` where the lock cannot
 * prove that.
 *
 * @param manifest the one to generate from now, canonical
 */
export function formerGeneration(
  state: LockState,
  generator: GeneratorIdentity,
  tree: ProjectTree,
  manifest: JsonObject,
): FormerGeneration | undefined {
  if (state.kind !== "read" || state.conflicted) return undefined;
  const { lock } = state;
  if (!isGeneratedBy(lock, generator)) return undefined;
  let model: ServerModel | undefined;
  const files = new Map<string, PristineFile | undefined>();
  const file = (path: string): PristineFile | undefined => {
    if (!files.has(path)) files.set(path, readPristine(path, lock, tree));
    return files.get(path);
  };
  return {
    // A valid manifest has been hashed, so that it is one.
    model: () => (model ??= normalize(lock.manifest as unknown as Manifest)),
    text: (path) => file(path)?.lines.toString(),
    bytes: (path) => file(path)?.lines,
    hash: (path) => lock.files.get(path)?.hashes[0],
    tools: formerTools(lock.manifest, manifest),
  };
}

interface PristineFile {
  /** The content, with LF line ends. */
  readonly lines: Buffer;
  /** Kept, so that whoever reads the file again gets these, whose hash is known. */
  readonly bytes: Uint8Array;
}

function readPristine(path: string, lock: Lock, tree: ProjectTree): PristineFile | undefined {
  return catchingDiskErrors(
    () => pristineFile(path, lock, tree),
    () => undefined,
  );
}

function pristineFile(path: string, lock: Lock, tree: ProjectTree): PristineFile | undefined {
  const locked = lock.files.get(path);
  if (locked?.owner !== "generated" || tree.entry(path).kind !== "file") return undefined;
  const bytes = tree.read(path);
  if (!isPristine(locked, bytes)) return undefined;
  return { lines: withLineFeeds(bytes), bytes };
}
