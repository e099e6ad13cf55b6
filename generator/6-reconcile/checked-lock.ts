import { damageOf } from "../2-validate/damage.js";
import { LOCK_PATH } from "./lock.js";
import { readLock, type LockState } from "./read-lock.js";
import type { ProjectTree } from "./tree.js";

/** Reads the lock of a project. It counts as damaged if later phases cannot read its manifest. */
export function readCheckedLock(tree: ProjectTree): LockState {
  const state = readLock(tree);
  if (state.kind !== "read") return state;
  const { manifest, generator } = state.lock;
  const damage = damageOf(manifest, LOCK_PATH);
  if (damage === undefined) return state;
  return { kind: "corrupt", problem: `in its manifest, ${damage}`, generator };
}
