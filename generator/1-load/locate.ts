import { isAlias, isMap, isNode, isPair, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import type { AliasTargets } from "./check-nodes.js";
import type { LineIndex } from "./line-index.js";

/**
 * Creates the function that finds the place of a path in the manifest's text. It indexes the keys of
 * a mapping at the first look-up, so that the cost of a look-up depends on the path's length only.
 */
export function createLocator(
  root: YAMLMap,
  targets: AliasTargets,
  lines: LineIndex,
): LoadedManifest["locate"] {
  const indexes = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const entryOf = (map: YAMLMap, key: string): Pair | undefined => {
    const index = indexes.get(map) ?? indexKeys(map);
    indexes.set(map, index);
    return index.get(key);
  };

  return (path, target) => {
    let key: unknown;
    let value: unknown = root;
    for (const segment of path) {
      const parent = isAlias(value) ? targets.get(value) : value;
      const next = stepInto(parent, segment, entryOf);
      if (next === undefined) break;
      ({ key, value } = next);
    }
    const node = target === "key" && key !== undefined ? key : value;
    const start = isNode(node) ? (node.range?.[0] ?? 0) : 0;
    return lines.place(start, endOf(node));
  };
}

/** The offset at which a node ends. A block ends with its last value: the library's range includes comments after it. */
export function endOf(node: unknown): number {
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    const inner = isPair(last) ? (last.value ?? last.key) : last;
    if (isNode(inner)) return endOf(inner);
  }
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

function stepInto(
  parent: unknown,
  segment: string | number,
  entryOf: (map: YAMLMap, key: string) => Pair | undefined,
): { key?: unknown; value: unknown } | undefined {
  if (isSeq(parent)) {
    const item = typeof segment === "number" ? parent.items[segment] : undefined;
    return item === undefined ? undefined : { value: item };
  }
  const entry = isMap(parent) ? entryOf(parent, String(segment)) : undefined;
  // A key without a value, as in `{a}`, has no value node. Its place is the place of the key.
  return entry && { key: entry.key, value: entry.value ?? entry.key };
}

function indexKeys(map: YAMLMap): ReadonlyMap<string, Pair> {
  const index = new Map<string, Pair>();
  for (const entry of map.items) {
    if (isScalar(entry.key) && typeof entry.key.value === "string") {
      index.set(entry.key.value, entry);
    }
  }
  return index;
}
