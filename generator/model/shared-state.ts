import { isJsonObject } from "./json.js";

/** What the processes of one server can share, in the order in which it is written everywhere. */
export const SHAREABLE = ["events", "switches", "rates"] as const;

type Shareable = (typeof SHAREABLE)[number];

/** The manifest, or as much of it as there is; nothing of it needs to be valid. */
type ItemsOfManifest = { readonly [List in (typeof LISTS)[number]]?: unknown };

const LISTS = ["tools", "resources", "resourceTemplates", "prompts"] as const;

/**
 * What the processes of a server have a use for sharing: events where handlers can tell clients of changes,
 * switches where items can be switched, and rates always.
 */
export function usesOf(manifest: ItemsOfManifest): Shareable[] {
  const items = LISTS.flatMap((list) => manifest[list] ?? []).filter(isObject);
  const uses = {
    events: items.some(({ subscribe, list }) => subscribe === true || list !== undefined),
    switches: items.some(({ enabled }) => enabled !== undefined),
    rates: true,
  };
  return SHAREABLE.filter((what) => uses[what]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value as never);
}
