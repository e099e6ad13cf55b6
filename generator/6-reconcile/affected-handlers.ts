import { changedHandlers, type ChangedHandler } from "../4-compare/handler-types.js";
import type { JsonObject } from "../model/json.js";
import type { HandlerFile, ItemId, OutputFile } from "../model/output-file.js";
import type { Change, Plan } from "../model/plan.js";
import { isPristine } from "./decision.js";
import { catchingDiskErrors } from "./disk-failure.js";
import type { Lock } from "./lock.js";
import type { LockState } from "./read-lock.js";
import type { ProjectTree } from "./tree.js";

/** The state before the run, and the result of emitting. */
interface RunInputs {
  readonly lock: LockState;
  readonly tree: ProjectTree;
  /** The new manifest in canonical form. */
  readonly manifest: JsonObject;
  readonly files: readonly OutputFile[];
}

/**
 * Adds to the plan the edited handlers whose types change. The plan does not change these files, and the type
 * check may refuse them afterwards.
 */
export function withAffectedHandlers(plan: Plan, { lock, ...inputs }: RunInputs): Plan {
  if (lock.kind !== "read" || plan.operations.length === 0) return plan;
  const affected = catchingDiskErrors<AffectedHandler[]>(
    () => affectedHandlers(lock.lock, inputs),
    () => [],
  );
  if (affected.length === 0) return plan;
  return {
    ...plan,
    changes: [...plan.changes, ...affected.map(({ change }) => change)],
    refusedMembers: new Map(affected.map(({ change, refused }) => [change.path, refused])),
  };
}

interface AffectedHandler extends Pick<ChangedHandler, "refused"> {
  readonly change: Change;
}

function affectedHandlers(
  { manifest: former, files: locked }: Lock,
  { tree, manifest, files }: Omit<RunInputs, "lock">,
): AffectedHandler[] {
  const changed = changedHandlers(former, manifest);
  if (changed.length === 0) return [];
  const handlers = new Map(
    files
      .filter((file): file is HandlerFile => file.owner === "handler")
      .map((file) => [file.item, file.path]),
  );
  const lockedPaths = new Map<ItemId, string>();
  for (const [path, { owner, item }] of locked) {
    if (owner === "handler" && item !== undefined) lockedPaths.set(item, path);
  }
  return changed.flatMap(({ before, after, reason, refused }): AffectedHandler[] => {
    const [from, to] = [lockedPaths.get(before), handlers.get(after)];
    if (from === undefined || to === undefined || tree.entry(from).kind !== "file") return [];
    if (isPristine(locked.get(from), tree.read(from))) return [];
    return [{ change: { op: "keep", path: to, owner: "handler", reason }, refused }];
  });
}
