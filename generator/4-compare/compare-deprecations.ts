import { compare, parse } from "semver";
import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import {
  deprecationWithdrawn,
  itemDeprecated,
  removalMoved,
  removedAsAnnounced,
} from "./catalogue/deprecation.js";
import { mappingOf, placeIn, textOf, type ItemPair, type ManifestItem } from "./manifest-items.js";

/** The changes of what is announced of an item. */
export function compareDeprecations({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [before, after].map(({ value }) => Object.hasOwn(value, "deprecated"));
  const place = placeIn(after, "deprecated");
  const { name } = after;
  if (was && !is) return [deprecationWithdrawn(placeIn(after, "name"), { name })];
  const [former, until] = [before, after].map(({ value }) => untilOf(value));
  if (!was && is) return [itemDeprecated(place, { name, ...(until !== undefined && { until }) })];
  if (until === former) return [];
  return [removalMoved(place, { name, before: former ?? "open", after: until ?? "open" })];
}

/** The removal of an item that was announced for this version or an earlier one; undefined if it was not. */
export function announcedRemoval(
  item: ManifestItem,
  after: JsonObject,
): SemanticChange[] | undefined {
  const until = untilOf(item.value);
  const version = textOf(after, "version");
  if (until === undefined || version === undefined) return undefined;
  if (parse(until) === null || parse(version) === null || compare(version, until) < 0) {
    return undefined;
  }
  const place = { at: [item.list], name: [item.list, item.name] };
  return [removedAsAnnounced(place, { name: item.name, until })];
}

function untilOf(item: JsonObject): string | undefined {
  return textOf(mappingOf(item, "deprecated"), "until");
}
