import { isJsonObject, type JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import { appAdded, appAsksForMore, appDomainChanged, appRemoved } from "./catalogue/extensions.js";
import { mappingOf, onlyIn, placeIn, textOf, textsOf, type ItemPair } from "./manifest-items.js";

/** The changes of a tool's MCP App: whether there is one, and what its page asks of clients. */
export function compareApp({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [appOf(before.value), appOf(after.value)];
  if (is === undefined) return was === undefined ? [] : [appRemoved(placeIn(after, "ui"), {})];
  const place = placeIn(after, "ui");
  if (was === undefined) return [appAdded(place, {})];
  const more = onlyIn(needsOf(is), needsOf(was));
  const [formerDomain, domain] = [textOf(was, "domain"), textOf(is, "domain")];
  return [
    ...more.map((need) => appAsksForMore(place, { need })),
    ...(domain === formerDomain ? [] : [appDomainChanged(place, {})]),
  ];
}

/** The settings of a tool's app; undefined if it has none. */
function appOf(tool: JsonObject): JsonObject | undefined {
  const ui = ownValue(tool, "ui");
  if (ui === undefined) return undefined;
  return isJsonObject(ui) ? ui : {};
}

/** What the page of an app needs of clients, in words. */
function needsOf(app: JsonObject): string[] {
  const csp = mappingOf(app, "csp");
  return [
    ...Object.keys(csp).flatMap((key) => textsOf(csp, key).map((origin) => `${key} ${origin}`)),
    ...Object.keys(mappingOf(app, "permissions")),
  ];
}
