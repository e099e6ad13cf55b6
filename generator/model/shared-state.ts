import { isJsonObject } from "./json.js";

/** The kinds of state that the processes of one server can share, in the order in which all output lists them. */
export const SHAREABLE = ["events", "switches", "rates"] as const;

type Shareable = (typeof SHAREABLE)[number];

/** The lists of items of a manifest that may be incomplete or invalid. */
type ItemsOfManifest = { readonly [List in (typeof LISTS)[number]]?: unknown };

const LISTS = ["tools", "resources", "resourceTemplates", "prompts"] as const;

/**
 * The kinds of state that it makes sense for the processes of a server to share: events if handlers can notify
 * clients of changes, switches if items can be switched on and off, and rates always.
 */
export function stateToShare(manifest: ItemsOfManifest): Shareable[] {
  const items = LISTS.flatMap((list) => manifest[list] ?? []).filter(isObject);
  const isUseful = {
    events: items.some(({ subscribe, list }) => subscribe === true || list !== undefined),
    switches: items.some(({ enabled }) => enabled !== undefined),
    rates: true,
  };
  return SHAREABLE.filter((state) => isUseful[state]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value as never);
}
