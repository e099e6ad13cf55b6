import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { groupJoined, groupLeft, restrictionRenamed } from "./catalogue/restrictions.js";
import { mappingOf, onlyIn, placeIn, textOf, textsOf, type ItemPair } from "./manifest-items.js";
import { placeAt } from "../model/change-places.js";

/** The groups that an item is in now, or is not in any more. */
export function compareGroups({ before, after }: ItemPair): SemanticChange[] {
  const [former, present] = [textsOf(before.value, "groups"), textsOf(after.value, "groups")];
  const place = placeIn(after, "groups");
  return [
    ...onlyIn(present, former).map((group) => groupJoined(place, { group })),
    ...onlyIn(former, present).map((group) => groupLeft(place, { group })),
  ];
}

/** What restricts a server, with the words for it and its default. */
const RESTRICTIONS = [
  ["groups", "env", "the variable with the groups", "MCP_GROUPS"],
  ["groups", "scopePrefix", "the prefix of scopes that name groups", "none"],
  ["readOnly", "env", "the variable for reading only", "MCP_READ_ONLY"],
  ["readOnly", "scope", "the scope for reading only", "none"],
] as const;

/** The changes of variables and scopes that restrict the server. */
export function compareRestrictions(before: JsonObject, after: JsonObject): SemanticChange[] {
  return RESTRICTIONS.flatMap(([key, member, what, usual]) => {
    const [was, is] = [before, after].map(
      (manifest) => textOf(mappingOf(mappingOf(manifest, "restrict"), key), member) ?? usual,
    ) as [string, string];
    // A scope that restricts nobody before takes nothing away from those who rely on it.
    if (was === is || was === "none") return [];
    const place = placeAt("restrict", key, member);
    return [restrictionRenamed(place, { what, before: was, after: is })];
  });
}
