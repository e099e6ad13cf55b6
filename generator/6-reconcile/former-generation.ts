import { normalize } from "../3-normalize/normalize.js";
import type { FormerGeneration } from "../5-emit/emit.js";
import type { Manifest } from "../model/manifest.js";
import type { ServerModel } from "../model/server-model.js";
import { isPristine } from "./decision.js";
import { catchingDiskErrors } from "./disk-failure.js";
import { inputHash } from "./is-current.js";
import type { Lock } from "./lock.js";
import type { LockState } from "./read-lock.js";
import type { ProjectTree } from "./tree.js";

/** The mcpwright that generates now. */
interface Generator {
  readonly version: string;
  readonly templates: string;
}

/**
 * What the last generation made, as far as emitting can rely on it: the very same generator made it, of
 * the manifest that is in the lock, and the file is as it was left. `undefined` where the lock cannot
 * prove that.
 */
export function formerGeneration(
  state: LockState,
  { version, templates }: Generator,
  tree: ProjectTree,
): FormerGeneration | undefined {
  if (state.kind !== "read" || state.conflicted) return undefined;
  const { lock } = state;
  if (lock.input !== inputHash(version, templates, lock.manifest)) return undefined;
  let model: ServerModel | undefined;
  return {
    // A valid manifest has been hashed, so that it is one.
    model: () => (model ??= normalize(lock.manifest as unknown as Manifest)),
    text: (path) =>
      catchingDiskErrors(
        () => pristineText(path, lock, tree),
        () => undefined,
      ),
  };
}

function pristineText(path: string, lock: Lock, tree: ProjectTree): string | undefined {
  const locked = lock.files.get(path);
  if (locked?.owner !== "generated" || tree.entry(path).kind !== "file") return undefined;
  const bytes = tree.read(path);
  if (!isPristine(locked, bytes)) return undefined;
  return Buffer.from(bytes).toString("utf8").replaceAll("\r\n", "\n");
}
