import type { YAMLMap } from "yaml";
import type { JsonObject, JsonValue } from "../model/json.js";
import { yaml } from "../text/yaml.js";
import type { AliasTargets } from "./check-nodes.js";
import { withoutSignOfZero } from "./plain/scalars.js";

/** Nodes in which `NodeCheck` found no error → their JSON value; each alias becomes a deep copy. */
export function convertMapping(map: YAMLMap, targets: AliasTargets): JsonObject {
  const value: JsonObject = {};
  for (const entry of map.items) {
    value[keyOf(entry.key)] = convertNode(entry.value, targets);
  }
  return value;
}

function convertNode(node: unknown, targets: AliasTargets): JsonValue {
  if (yaml().isAlias(node)) return convertNode(targets.get(node), targets);
  if (yaml().isMap(node)) return convertMapping(node, targets);
  if (yaml().isSeq(node)) return node.items.map((item) => convertNode(item, targets));
  return yaml().isScalar(node) ? scalarValue(node.value) : null;
}

function scalarValue(value: unknown): JsonValue {
  if (typeof value === "number") return withoutSignOfZero(value);
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

function keyOf(key: unknown): string {
  return yaml().isScalar(key) && typeof key.value === "string" ? key.value : "";
}
