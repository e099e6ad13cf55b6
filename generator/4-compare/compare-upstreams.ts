import { CALLER_GRANTS, TOKEN_GRANTS } from "../model/bodies.js";
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ACCOUNT_GRANT } from "../model/linked-accounts.js";
import { ownValue } from "../schema/json-schema.js";
import { quoted } from "../text/value-words.js";
import {
  askedForCallers,
  askedForItself,
  databaseMoved,
  remoteServerMoved,
  upstreamMoved,
  upstreamOpened,
} from "./catalogue/upstreams.js";
import { mappingOf, textOf } from "./manifest-items.js";
import { placeAt, placeBelow } from "../model/change-places.js";

/** The changes of where upstreams are, which are other servers that the server calls. */
export function compareUpstreams(before: JsonObject, after: JsonObject): SemanticChange[] {
  const former = mappingOf(before, "upstreams");
  return Object.entries(mappingOf(after, "upstreams")).flatMap(([upstream, settings]) => {
    const formerSettings = ownValue(former, upstream);
    if (!isJsonObject(formerSettings) || !isJsonObject(settings)) return [];
    const place = placeAt("upstreams", upstream);
    if ("mcp" in formerSettings || "mcp" in settings) {
      const isSame = isDeepStrictEqual(formerSettings["mcp"], settings["mcp"]);
      return isSame ? [] : [remoteServerMoved(placeBelow(place, "mcp"), { upstream })];
    }
    const isOpened = settings["private"] === true && formerSettings["private"] !== true;
    return [
      ...LOCATIONS.flatMap(({ keys, role, isOfAccounts }) => {
        const [former, present] = [settingAt(formerSettings, keys), settingAt(settings, keys)];
        const [was, is] = [locationInWords(former, before), locationInWords(present, after)];
        if (was === is || (isOfAccounts === true && [former, present].includes(undefined)))
          return [];
        const grant = grantOf(mappingOf(settings, "auth"));
        const path = keys.map((key) => (key === TOKEN_GRANT ? grant : key));
        const { at, name } = placeBelow(place, ...path);
        const words = { upstream, ...(role !== undefined && { role }), before: was, after: is };
        return [upstreamMoved({ at: present === undefined ? place.at : at, name }, words)];
      }),
      ...(actsForCallers(settings) === actsForCallers(formerSettings)
        ? []
        : [
            (actsForCallers(settings) ? askedForCallers : askedForItself)(
              placeBelow(place, "auth"),
              { upstream },
            ),
          ]),
      ...(isOpened ? [upstreamOpened(placeBelow(place, "private"), { upstream })] : []),
    ];
  });
}

/** Stands for the kind of `auth` that an upstream has, of those that ask a token endpoint. */
const TOKEN_GRANT = "*";

interface Location {
  readonly keys: readonly string[];
  readonly role?: string;
  /** Whether only accounts have it: where there were none, or are none any more, another rule says so. */
  readonly isOfAccounts?: boolean;
}

/** The settings that say where the data of callers and the credentials of the server are sent. */
const LOCATIONS: readonly Location[] = [
  { keys: ["baseUrl"] },
  { keys: ["proxy"], role: "the proxy" },
  { keys: ["auth", TOKEN_GRANT, "tokenUrl"], role: "the token URL" },
  { keys: ["auth", ACCOUNT_GRANT, "authorizationUrl"], role: "the sign-in", isOfAccounts: true },
];

function settingAt(settings: JsonObject, keys: readonly string[]): JsonValue | undefined {
  const holder = keys
    .slice(0, -1)
    .reduce((outer, key) => mappingOf(outer, key === TOKEN_GRANT ? grantOf(outer) : key), settings);
  return ownValue(holder, keys.at(-1) ?? "");
}

/** The kind of `auth` that asks a token endpoint, of an upstream. */
function grantOf(auth: JsonObject): string {
  return TOKEN_GRANTS.find((grant) => Object.hasOwn(auth, grant)) ?? "clientCredentials";
}

/** True if an upstream is asked with a token of the caller's own. */
function actsForCallers(settings: JsonObject): boolean {
  return CALLER_GRANTS.some((grant) => Object.hasOwn(mappingOf(settings, "auth"), grant));
}

/** Says which location a setting states: a text, or an environment variable with its default. */
function locationInWords(setting: JsonValue | undefined, manifest: JsonObject): string {
  if (setting === undefined) return "none";
  if (typeof setting === "string") return quoted(setting);
  const variable = isJsonObject(setting) ? textOf(setting, "env") : undefined;
  if (variable === undefined) return "an unknown place";
  const value = textOf(mappingOf(mappingOf(manifest, "env"), variable), "default");
  return value === undefined ? variable : `${variable}, by default ${quoted(value)}`;
}

/** The changes of the URLs and files of databases. */
export function compareDatabases(before: JsonObject, after: JsonObject): SemanticChange[] {
  const former = mappingOf(before, "databases");
  return Object.entries(mappingOf(after, "databases")).flatMap(([database, settings]) => {
    const formerSettings = ownValue(former, database);
    if (!isJsonObject(formerSettings) || !isJsonObject(settings)) return [];
    const key = "url" in settings ? "url" : "file";
    const was = locationInWords(formerSettings["url"] ?? formerSettings["file"], before);
    const is = locationInWords(settings[key], after);
    if (was === is) return [];
    const place = placeAt("databases", database, key);
    return [databaseMoved(place, { database, before: was, after: is })];
  });
}
