import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import { quoted } from "../text/value-words.js";
import {
  answeredOtherwise,
  requestChanged,
  upstreamMoved,
  upstreamOpened,
} from "./catalogue/bodies.js";
import { mappingOf, placeIn, textOf, type ItemPair } from "./manifest-items.js";

/** The changes of the services that a server calls. */
export function compareUpstreams(before: JsonObject, after: JsonObject): SemanticChange[] {
  const former = mappingOf(before, "upstreams");
  return Object.entries(mappingOf(after, "upstreams")).flatMap(([upstream, settings]) => {
    const known = ownValue(former, upstream);
    if (!isJsonObject(known) || !isJsonObject(settings)) return [];
    const path = ["upstreams", upstream];
    const at = (key: string) => ({ at: [...path, key], name: [...path, key] });
    const [was, is] = [placeOf(known["baseUrl"], before), placeOf(settings["baseUrl"], after)];
    const isOpened = settings["private"] === true && known["private"] !== true;
    return [
      ...(was === is ? [] : [upstreamMoved(at("baseUrl"), { upstream, before: was, after: is })]),
      ...(isOpened ? [upstreamOpened(at("private"), { upstream })] : []),
    ];
  });
}

/** In words, where a setting says that an upstream is: a variable with its default. */
function placeOf(setting: JsonValue | undefined, manifest: JsonObject): string {
  if (typeof setting === "string") return quoted(setting);
  const name = isJsonObject(setting ?? null) ? textOf(setting as JsonObject, "env") : undefined;
  if (name === undefined) return "an unknown place";
  const usual = textOf(mappingOf(mappingOf(manifest, "env"), name), "default");
  return usual === undefined ? name : `${name}, by default ${quoted(usual)}`;
}

/** The changes of the request that a tool sends. */
export function compareBodies({ before, after }: ItemPair): SemanticChange[] {
  const [former, present] = [ownValue(before.value, "http"), ownValue(after.value, "http")];
  const [was, is] = [isJsonObject(former ?? null), isJsonObject(present ?? null)];
  if (was !== is) return compareAnswerers(was, { before, after });
  if (!was) return [];
  const changes = [
    ["upstream", ""],
    ["method", "GET"],
    ["path", ""],
  ] as const;
  return changes.flatMap(([what, usual]) => {
    const [old, now] = [former, present].map((body) => textIn(body as JsonObject, what, usual));
    if (old === now) return [];
    const place = placeIn(after, "http", what);
    return [requestChanged(place, { what, before: quoted(old ?? ""), after: quoted(now ?? "") })];
  });
}

function textIn(body: JsonObject, key: string, usual: string): string {
  const value = ownValue(body, key);
  return isJsonObject(value ?? null)
    ? (textOf(value as JsonObject, "template") ?? usual)
    : (textOf(body, key) ?? usual);
}

/** Fixed answers have rules of their own. */
function compareAnswerers(wasBody: boolean, { before, after }: ItemPair): SemanticChange[] {
  const other = wasBody ? after : before;
  const isFixed = "content" in other.value || "structuredContent" in other.value;
  if (isFixed) return [];
  const [body, handler] = ["a request of the manifest", "a handler"];
  const parameters = wasBody ? { before: body, after: handler } : { before: handler, after: body };
  return [answeredOtherwise(placeIn(after, wasBody ? "name" : "http"), parameters)];
}
