import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "../../model/json.js";
import type { MergedTool } from "./merge-tools.js";

/** The tools that change, by their index before the update. */
export function changedTools(
  before: readonly JsonValue[],
  tools: readonly MergedTool[],
): Map<number, { before: JsonValue; after: JsonValue }> {
  const changed = tools.flatMap(({ index, value }) =>
    index === undefined || isDeepStrictEqual(before[index], value)
      ? []
      : [[index, { before: before[index] ?? null, after: value }] as const],
  );
  return new Map(changed);
}

/** The changes of the list of tools. @param count number of tools before the update */
export function listChanges(count: number, tools: readonly MergedTool[]) {
  const keptIndexes = new Set(tools.map(({ index }) => index));
  const removed = new Set(Array.from({ length: count }, (_, index) => index));
  for (const index of keptIndexes) if (index !== undefined) removed.delete(index);
  let after = -1;
  const inserted = tools.flatMap(({ value, index }) => {
    after = index ?? after;
    return index === undefined ? [{ after, value }] : [];
  });
  return { removed, inserted };
}
