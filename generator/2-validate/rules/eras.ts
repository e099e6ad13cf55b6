import { deprecatedUse, needsSessions } from "../../model/catalogue/rules-eras.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { has, ITEM_LISTS, itemsOf, listIn, textIn, type Mapping } from "../manifest-view.js";

/** So many places are named; the others are counted. */
const NAMED_PLACES = 3;

/** What an item does that needs a lasting connection on the older eras. */
interface Need {
  readonly path: ManifestPath;
  readonly words: string;
}

/**
 * One warning where clients of the older eras are served over HTTP without sessions, and handlers
 * ask their client, or clients are told of changes: neither reaches them.
 */
export function checkStatelessHttp(manifest: LoadedManifest): Diagnostic[] {
  const { protocol } = manifest.value;
  if (isJsonObject(protocol) && protocol["legacy"] === "reject") return [];
  const http = itemsOf(manifest, "transports").find(
    ({ value }) => textIn(value, "type") === "http",
  );
  if (http === undefined || textIn(http.value, "sessions") === "memory") return [];
  const needs = ITEM_LISTS.flatMap((list) => itemsOf(manifest, list)).flatMap(needsOf);
  if (needs.length === 0) return [];
  const key = has(http.value, "sessions") ? "sessions" : "type";
  const named = needs.slice(0, NAMED_PLACES);
  const related = named.map(({ path, words }) => ({
    ...manifest.locate(path, "key"),
    message: words,
  }));
  const parameters = { named: named.map(({ words }) => words), found: needs.length };
  return [needsSessions(manifest.locate([...http.path, key], "value"), parameters, related)];
}

/** What each field of an item means to clients of the older eras. */
const NEEDS: readonly [key: string, words: string, isStated: (value: JsonObject) => boolean][] = [
  ["elicitations", "asks the user", (value) => isFilled(value["elicitations"])],
  ["uses", "asks its client", (value) => isFilled(value["uses"])],
  ["subscribe", "can be subscribed to", (value) => value["subscribe"] === true],
  ["directory", "is a folder that is watched", ({ directory }) => isWatched(directory)],
  ["list", "has a list that changes", (value) => value["list"] !== undefined],
  ["enabled", "can be switched on and off", (value) => typeof value["enabled"] === "boolean"],
];

function needsOf({ path, value }: Mapping): Need[] {
  const name = quoted(textIn(value, "name") ?? "");
  return NEEDS.flatMap(([key, words, isStated]) =>
    isStated(value) ? [{ path: [...path, key], words: `${name} ${words}` }] : [],
  );
}

/** Whether a directory tells its clients of changes. */
function isWatched(directory: JsonValue | undefined): boolean {
  return isJsonObject(directory) && directory["watch"] === true;
}

/** Whether a list or a mapping has anything in it. */
function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Client features that handlers use and that the newest era deprecates. */
export function checkDeprecatedUses(manifest: LoadedManifest): Diagnostic[] {
  return ITEM_LISTS.flatMap((list) => itemsOf(manifest, list)).flatMap(({ path, value }) =>
    listIn(value, "uses").flatMap((feature, index) =>
      feature === "sampling" || feature === "roots"
        ? [deprecatedUse(manifest.locate([...path, "uses", index], "value"), { feature })]
        : [],
    ),
  );
}
