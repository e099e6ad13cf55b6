import { BODIES, BODY_KEYS } from "../../bodies/index.js";
import { deprecatedUse, needsSessions } from "../../model/catalogue/rules-eras.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { has, ITEM_LISTS, itemsOf, listIn, textIn, type Mapping } from "../manifest-view.js";

/** How many places the warning names. It counts the others. */
const NAMED_PLACES = 3;

/** A feature of an item for which clients of the older eras need a lasting connection. */
interface Need {
  readonly path: ManifestPath;
  readonly words: string;
}

/**
 * Gives one warning if the server serves clients of the older eras over HTTP without sessions, and an item
 * asks its client or notifies it of changes: neither reaches such clients.
 */
export function checkStatelessHttp(manifest: LoadedManifest): Diagnostic[] {
  const { protocol } = manifest.value;
  if (isJsonObject(protocol) && protocol["legacy"] === "reject") return [];
  const http = itemsOf(manifest, "transports").find(
    ({ value }) => textIn(value, "type") === "http",
  );
  if (http === undefined || textIn(http.value, "sessions") === "memory") return [];
  const items = ITEM_LISTS.flatMap((list) => itemsOf(manifest, list));
  const canNotify = items.some(hasCode);
  const needs = items.flatMap((item) => needsOf(item, canNotify));
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

type NeedOfKey = readonly [key: string, words: string, isPresent: (value: JsonObject) => boolean];

/** The features of items that need a lasting connection, by key, with the words for messages. */
const NEEDS: readonly NeedOfKey[] = [
  ["confirm", "asks the user", (value) => typeof value["confirm"] === "string"],
  ["elicitations", "asks the user", (value) => isFilled(value["elicitations"])],
  ["uses", "asks its client", (value) => isFilled(value["uses"])],
  ...BODY_KEYS.flatMap((key): NeedOfKey[] => {
    const { watched } = BODIES[key];
    return watched === undefined ? [] : [[key, watched, ({ [key]: body }) => isWatched(body)]];
  }),
];

/** Such features of which clients are told by code of the project. */
const NOTIFIED: readonly NeedOfKey[] = [
  ["subscribe", "can be subscribed to", (value) => value["subscribe"] === true],
  ["list", "has a list that changes", (value) => value["list"] !== undefined],
  ["enabled", "can be switched on and off", (value) => typeof value["enabled"] === "boolean"],
];

function needsOf({ path, value }: Mapping, canNotify: boolean): Need[] {
  const name = quoted(textIn(value, "name") ?? "");
  return [...NEEDS, ...(canNotify ? NOTIFIED : [])].flatMap(([key, words, isPresent]) =>
    isPresent(value) ? [{ path: [...path, key], words: `${name} ${words}` }] : [],
  );
}

/** The keys that say what an item does, where no handler does. */
const BEHAVIOURS = [
  ...BODY_KEYS,
  ...["content", "structuredContent", "messages", "text", "blob", "file"],
];

/** True if code of the project does what an item does, lists its instances or completes its arguments. */
function hasCode({ value }: Mapping): boolean {
  if (!BEHAVIOURS.some((key) => value[key] !== undefined)) return true;
  if (value["list"] === "code") return true;
  const completed = [
    ...Object.values(isJsonObject(value["complete"]) ? value["complete"] : {}),
    ...listIn(value, "arguments").map((one) => (isJsonObject(one) ? one["complete"] : undefined)),
  ];
  return completed.includes("code");
}

/** True if the server notifies clients of changes of what a body reads. */
function isWatched(body: JsonValue | undefined): boolean {
  return isJsonObject(body) && body["watch"] === true;
}

/** True for a list or a mapping that is not empty. */
function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Warns of client features that handlers use and that the newest era deprecates. */
export function checkDeprecatedUses(manifest: LoadedManifest): Diagnostic[] {
  return ITEM_LISTS.flatMap((list) => itemsOf(manifest, list)).flatMap(({ path, value }) =>
    listIn(value, "uses").flatMap((feature, index) =>
      feature === "sampling" || feature === "roots"
        ? [deprecatedUse(manifest.locate([...path, "uses", index], "value"), { feature })]
        : [],
    ),
  );
}
