import type { Deprecation } from "../../templates/runtime/engine/item.js";
import { pickDefined, wireFields } from "../model/pick.js";
import type { JsonObject } from "../model/json.js";

interface Deprecated {
  readonly description?: string;
  readonly deprecated?: Deprecation;
}

/** The member `description` of an item as clients get it, which says whether the item is deprecated. */
export function toldDescription(item: Deprecated): JsonObject {
  if (item.deprecated === undefined) return wireFields(item, ["description"]);
  const { since, use, until } = item.deprecated;
  const sentences = [
    since === undefined ? "Deprecated." : `Deprecated since ${since}.`,
    ...(use === undefined ? [] : [`Use ${use} instead.`]),
    ...(until === undefined ? [] : [`Version ${until} will not have it.`]),
  ];
  const own = item.description === undefined ? [] : [item.description.trimEnd()];
  return { description: [...own, ...sentences].join(" ") };
}

/** The deprecation of an item, without the author's `x-` keys, as a field to spread. */
export function deprecationOf({ deprecated }: Deprecated): { deprecated?: Deprecation } {
  if (deprecated === undefined) return {};
  return { deprecated: pickDefined(deprecated, ["since", "use", "until"]) };
}

/** Items in the order in which they are listed: deprecated ones come last. */
export function asListed<Item extends Deprecated>(items: readonly Item[] = []): Item[] {
  const isDeprecated = ({ deprecated }: Item): boolean => deprecated !== undefined;
  return [...items.filter((item) => !isDeprecated(item)), ...items.filter(isDeprecated)];
}
