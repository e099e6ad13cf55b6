import type { Authentication } from "../authentication/authentication.js";
import type { Item } from "../engine/item.js";
import { isInGroups, onlyReads } from "./item-groups.js";
import type { RestrictDefinition } from "./definition.js";

/** What a caller's scopes leave of the items. Scopes take items away, and never add any. */
export interface CallerRestriction {
  /** Names the part of the items that the caller gets. Callers with the same name get the same items. */
  readonly name: string;
  /** The groups that the caller gets; absent if the scopes name none. */
  readonly groups?: readonly string[];
  /** Whether the caller gets an item. */
  leaves(item: Item): boolean;
}

const UNRESTRICTED: CallerRestriction = { name: "", leaves: () => true };

/** Returns what the scopes of a caller leave of the items. A caller without such scopes, or on stdio, gets all of them. */
export function restrictionOf(
  { groups, readOnly }: RestrictDefinition,
  caller: Authentication | undefined,
): CallerRestriction {
  if (caller === undefined) return UNRESTRICTED;
  const prefix = groups?.scopePrefix;
  const chosen =
    prefix === undefined
      ? []
      : caller.scopes.flatMap((scope) =>
          scope.startsWith(prefix) ? [scope.slice(prefix.length)] : [],
        );
  const isReadOnly = readOnly?.scope !== undefined && caller.scopes.includes(readOnly.scope);
  if (chosen.length === 0 && !isReadOnly) return UNRESTRICTED;
  const names = [...new Set(chosen)].sort();
  return {
    name: JSON.stringify([names, isReadOnly]),
    ...(names.length > 0 && { groups: names }),
    leaves: (item) =>
      (chosen.length === 0 || isInGroups(item, chosen)) && (!isReadOnly || onlyReads(item)),
  };
}
