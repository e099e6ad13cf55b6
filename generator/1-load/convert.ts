import { isAlias, isMap, isScalar, isSeq, type YAMLMap } from "yaml";
import type { JsonObject, JsonValue } from "../model/json.js";
import type { AliasTargets } from "./check-nodes.js";

/** Converts a mapping in which `NodeCheck` found no error to JSON. Each alias becomes a deep copy. */
export function convertMapping(map: YAMLMap, targets: AliasTargets): JsonObject {
  const value: JsonObject = {};
  for (const entry of map.items) {
    value[keyOf(entry.key)] = convertNode(entry.value, targets);
  }
  return value;
}

function convertNode(node: unknown, targets: AliasTargets): JsonValue {
  if (isAlias(node)) return convertNode(targets.get(node), targets);
  if (isMap(node)) return convertMapping(node, targets);
  if (isSeq(node)) return node.items.map((item) => convertNode(item, targets));
  return isScalar(node) ? scalarValue(node.value) : null;
}

function scalarValue(value: unknown): JsonValue {
  if (typeof value === "number") return withoutSignOfZero(value);
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

/** `JSON.stringify` writes -0 as 0. Without this, the manifest would differ from its copy in the lock. */
function withoutSignOfZero(value: number): number {
  return value === 0 ? 0 : value;
}

function keyOf(key: unknown): string {
  return isScalar(key) && typeof key.value === "string" ? key.value : "";
}
