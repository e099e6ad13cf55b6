/** Settings by which operators and callers get only a part of a server: groups of items, or what only reads. */
import { filterLists, usableItems } from "./authentication/filtered-lists.js";
import { restrictionOf } from "./restrict/caller-restriction.js";
import type { RestrictDefinition } from "./restrict/definition.js";
import type { ServerPart } from "./server/server-part.js";

export type { RestrictDefinition } from "./restrict/definition.js";

/**
 * Names the variables that restrict the server at its start, and the scopes that restrict a caller. It stands after
 * `filteredLists`, where the server has that.
 */
export function restrict(settings: RestrictDefinition): ServerPart {
  const { groups, readOnly } = settings;
  if (groups?.scopePrefix === undefined && readOnly?.scope === undefined) {
    return () => ({ restrict: settings });
  }
  return ({ isHidden }) => ({
    restrict: settings,
    isHidden: (item, caller) =>
      !restrictionOf(settings, caller.authentication).leaves(item) ||
      isHidden?.(item, caller) === true,
    createPagedList: filterLists([
      ...(isHidden === undefined ? [] : [usableItems]),
      () => (caller) => restrictionOf(settings, caller),
    ]),
  });
}
