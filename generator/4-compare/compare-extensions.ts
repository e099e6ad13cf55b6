import { isDeepStrictEqual } from "node:util";
import { taskDefaults } from "../../templates/runtime/tasks/definition.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  cardAdded,
  cardRemoved,
  cardRenamed,
  extensionAdded,
  extensionRemoved,
  extensionSettingsChanged,
  taskAdded,
  taskKeptShorter,
  taskNotRequired,
  taskRemoved,
  taskRequired,
} from "./catalogue/extensions.js";
import { mappingOf, placeIn, type ItemPair } from "./manifest-items.js";
import { placeAt } from "../model/change-places.js";

/** The changes of the extensions that clients are told of. */
export function compareExtensions(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "extensions"), mappingOf(after, "extensions")];
  const ids = [...new Set([...Object.keys(former), ...Object.keys(present)])].sort();
  return ids.flatMap((id) => {
    const [was, is] = [ownValue(former, id), ownValue(present, id)];
    const place = placeAt("extensions", id);
    if (was === undefined) return [extensionAdded(place, { id })];
    if (is === undefined) return [extensionRemoved(placeAt("extensions"), { id })];
    return isDeepStrictEqual(was, is) ? [] : [extensionSettingsChanged(place, { id })];
  });
}

/** The changes of whether there is a server card, and of the name on it. */
export function compareCard(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [cardName(before), cardName(after)];
  const place = placeAt("card");
  if (was === is) return [];
  if (was === undefined) return [cardAdded(place, {})];
  if (is === undefined) return [cardRemoved(place, {})];
  return [cardRenamed(place, { before: was, after: is })];
}

/** The name on the card of a manifest; undefined if it has no card. */
function cardName(manifest: JsonObject): string | undefined {
  const card = ownValue(manifest, "card");
  if (card === undefined || card === false) return undefined;
  const registry = mappingOf(mappingOf(manifest, "package"), "registry");
  const name = ownValue(mappingOf(manifest, "card"), "name") ?? ownValue(registry, "name");
  return typeof name === "string" ? name : "";
}

/** The changes of how a tool runs as a task. */
export function compareTask({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [taskOf(before.value), taskOf(after.value)];
  const place = placeIn(after, "task");
  if (is === undefined) return was === undefined ? [] : [taskRemoved(place, {})];
  const isRequired = is["required"] === true;
  const wasRequired = was?.["required"] === true;
  const [formerTtl, ttl] = [ttlOf(was), ttlOf(is)];
  return [
    ...(was === undefined ? [taskAdded(place, {})] : []),
    ...(isRequired && !wasRequired ? [taskRequired(place, {})] : []),
    ...(wasRequired && !isRequired ? [taskNotRequired(place, {})] : []),
    ...(was !== undefined && ttl < formerTtl
      ? [taskKeptShorter(place, { before: formerTtl, after: ttl })]
      : []),
  ];
}

/** The settings of a tool's tasks; undefined if it has none. */
function taskOf(tool: JsonObject): JsonObject | undefined {
  const task = ownValue(tool, "task") ?? false;
  if (task === false) return undefined;
  return isJsonObject(task) ? task : {};
}

function ttlOf(task: JsonObject = {}): number {
  return Number(task["ttlMs"] ?? taskDefaults.ttlMs);
}
