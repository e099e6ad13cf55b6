import { hash } from "node:crypto";
import type { FileOperation } from "../model/plan.js";

/**
 * The name of a plan: how many files it creates, updates, deletes and moves, and a hash of all that it would write. Another
 * plan has another name, so that who has agreed to a name has agreed to these changes only.
 */
export function planName(operations: readonly FileOperation[]): string {
  const kinds = operations.map(kindOf);
  const counts = (["created", "updated", "deleted", "moved"] as const).flatMap((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const parts = operations.map((operation) => {
    const { kind, path } = operation;
    if (kind === "move") return [kind, path, operation.from];
    const { before } = operation;
    const content = kind === "write" ? hash("sha256", operation.content, "hex") : undefined;
    return [kind, path, before, content];
  });
  const digest = hash("sha256", JSON.stringify(parts), "hex").slice(0, 32);
  return [...(counts.length === 0 ? ["nothing to do"] : counts), digest].join(" ");
}

function kindOf(operation: FileOperation): "created" | "updated" | "deleted" | "moved" {
  if (operation.kind === "delete") return "deleted";
  if (operation.kind === "move") return "moved";
  return operation.before === undefined ? "created" : "updated";
}
