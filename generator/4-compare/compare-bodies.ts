import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import { quoted } from "../text/value-words.js";
import {
  answeredOtherwise,
  commandChanged,
  databaseMoved,
  directoryMoved,
  directoryOpened,
  passedOtherwise,
  remoteServerMoved,
  requestChanged,
  statementChanged,
  statementWrites,
  upstreamMoved,
  upstreamOpened,
} from "./catalogue/bodies.js";
import { mappingOf, placeIn, textOf, type ItemPair } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";

/** The changes of the services that a server calls. */
export function compareUpstreams(before: JsonObject, after: JsonObject): SemanticChange[] {
  const former = mappingOf(before, "upstreams");
  return Object.entries(mappingOf(after, "upstreams")).flatMap(([upstream, settings]) => {
    const formerSettings = ownValue(former, upstream);
    if (!isJsonObject(formerSettings) || !isJsonObject(settings)) return [];
    const path = ["upstreams", upstream];
    const at = (key: string) => ({ at: [...path, key], name: [...path, key] });
    if ("mcp" in formerSettings || "mcp" in settings) {
      const isSame = isDeepStrictEqual(formerSettings["mcp"], settings["mcp"]);
      return isSame ? [] : [remoteServerMoved(at("mcp"), { upstream })];
    }
    const isOpened = settings["private"] === true && formerSettings["private"] !== true;
    return [
      ...PLACES.flatMap(({ keys, part }) => {
        const [former, present] = [settingAt(formerSettings, keys), settingAt(settings, keys)];
        const [was, is] = [placeOf(former, before), placeOf(present, after)];
        if (was === is) return [];
        const name = [...path, ...keys];
        const words = { upstream, ...(part !== undefined && { part }), before: was, after: is };
        return [upstreamMoved({ at: present === undefined ? path : name, name }, words)];
      }),
      ...(isOpened ? [upstreamOpened(at("private"), { upstream })] : []),
    ];
  });
}

/** The settings that say where what callers send goes, and the credentials of the server. */
const PLACES: readonly { readonly keys: readonly string[]; readonly part?: string }[] = [
  { keys: ["baseUrl"] },
  { keys: ["proxy"], part: "the proxy" },
  { keys: ["auth", "clientCredentials", "tokenUrl"], part: "the token URL" },
];

function settingAt(settings: JsonObject, keys: readonly string[]): JsonValue | undefined {
  const holder = keys.slice(0, -1).reduce(mappingOf, settings);
  return ownValue(holder, keys.at(-1) ?? "");
}

/** In words, where a setting says that something is: a variable with its default. */
function placeOf(setting: JsonValue | undefined, manifest: JsonObject): string {
  if (setting === undefined) return "none";
  if (typeof setting === "string") return quoted(setting);
  const name = isJsonObject(setting ?? null) ? textOf(setting as JsonObject, "env") : undefined;
  if (name === undefined) return "an unknown place";
  const usual = textOf(mappingOf(mappingOf(manifest, "env"), name), "default");
  return usual === undefined ? name : `${name}, by default ${quoted(usual)}`;
}

/** The changes of the databases that a server asks. */
export function compareDatabases(before: JsonObject, after: JsonObject): SemanticChange[] {
  const former = mappingOf(before, "databases");
  return Object.entries(mappingOf(after, "databases")).flatMap(([database, settings]) => {
    const formerSettings = ownValue(former, database);
    if (!isJsonObject(formerSettings) || !isJsonObject(settings)) return [];
    const key = "url" in settings ? "url" : "file";
    const was = placeOf(formerSettings["url"] ?? formerSettings["file"], before);
    const is = placeOf(settings[key], after);
    if (was === is) return [];
    const path = ["databases", database, key];
    return [databaseMoved({ at: path, name: path }, { database, before: was, after: is })];
  });
}

/** The keys of bodies, with what each is in words. */
const BODIES = {
  http: "a request of the manifest",
  sql: "a statement of the manifest",
  exec: "a program of the manifest",
  directory: "a directory of the manifest",
  mcp: "another MCP server",
} as const;

type BodyKey = keyof typeof BODIES;

function bodyOf(item: JsonObject): BodyKey | undefined {
  return (Object.keys(BODIES) as BodyKey[]).find((key) => isJsonObject(item[key] ?? null));
}

/** The changes of what an item asks. */
export function compareBodies({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [bodyOf(before.value), bodyOf(after.value)];
  if (was !== is) return compareAnswerers({ before, after }, was, is);
  if (was === undefined) return [];
  return compareAsked(was, before.value, after.value, (...path) => placeIn(after, ...path));
}

/** A place below what has a body. */
type PlaceBelow = (...path: readonly string[]) => ChangePlace;

/** The changes of a body that both have. */
function compareAsked(
  key: BodyKey,
  before: JsonObject,
  after: JsonObject,
  placeBelow: PlaceBelow,
): SemanticChange[] {
  const place: PlaceBelow = (...path) => placeBelow(key, ...path);
  return COMPARISONS[key](mappingOf(before, key), mappingOf(after, key), place);
}

const COMPARISONS: Readonly<
  Record<BodyKey, (former: JsonObject, present: JsonObject, place: PlaceBelow) => SemanticChange[]>
> = {
  http: compareRequests,
  sql: compareStatements,
  exec: compareCommands,
  directory: compareDirectories,
  mcp: compareMcpBodies,
};

function compareDirectories(
  former: JsonObject,
  present: JsonObject,
  place: PlaceBelow,
): SemanticChange[] {
  const isMoved = !isDeepStrictEqual(former["root"], present["root"]);
  const isOpened = present["hidden"] === true && former["hidden"] !== true;
  return [
    ...(isMoved ? [directoryMoved(place("root"), {})] : []),
    ...(isOpened ? [directoryOpened(place("hidden"), {})] : []),
  ];
}

function compareMcpBodies(
  former: JsonObject,
  present: JsonObject,
  place: PlaceBelow,
): SemanticChange[] {
  return ["upstream", "name", "arguments", "uri", "uriTemplate"]
    .filter((key) => !isDeepStrictEqual(former[key], present[key]))
    .map((what) => passedOtherwise(place(what), { what }));
}

function compareCommands(
  former: JsonObject,
  present: JsonObject,
  place: PlaceBelow,
): SemanticChange[] {
  return ["command", "cwd", "env", "stdin"]
    .filter((key) => !isDeepStrictEqual(former[key], present[key]))
    .map((what) => commandChanged(place(what), { what }));
}

/** The changes of a body that completes an argument, or lists instances. */
export function compareSource(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: PlaceBelow,
): SemanticChange[] {
  const [former, present] = [before, after].map((value) =>
    isJsonObject(value ?? null) ? (value as JsonObject) : {},
  ) as [JsonObject, JsonObject];
  const [was, is] = [bodyOf(former), bodyOf(present)];
  if (was !== is) {
    if (before === undefined || after === undefined) return [];
    const words = { before: sourceInWords(before, was), after: sourceInWords(after, is) };
    return [answeredOtherwise(place(), words)];
  }
  return was === undefined ? [] : compareAsked(was, former, present, place);
}

/** In words, what finds values. */
function sourceInWords(source: JsonValue, key: BodyKey | undefined): string {
  if (key !== undefined) return BODIES[key];
  return source === "code" ? "code" : "a list of the manifest";
}

function compareStatements(
  former: JsonObject,
  present: JsonObject,
  place: PlaceBelow,
): SemanticChange[] {
  const changed = ["database", "query"].filter((key) => former[key] !== present[key]);
  const mayWrite = present["write"] === true && former["write"] !== true;
  return [
    ...changed.map((what) => statementChanged(place(what), { what })),
    ...(mayWrite ? [statementWrites(place("write"), {})] : []),
  ];
}

function compareRequests(
  former: JsonObject,
  present: JsonObject,
  place: PlaceBelow,
): SemanticChange[] {
  const changes = [
    ["upstream", ""],
    ["method", "GET"],
    ["path", ""],
  ] as const;
  const contents = ["query", "headers", "cookies", "body", "form", "multipart", "text"].filter(
    (key) => !isDeepStrictEqual(ownValue(former, key), ownValue(present, key)),
  );
  return [
    ...changes.flatMap(([what, usual]) => {
      const [old, now] = [textIn(former, what, usual), textIn(present, what, usual)];
      if (old === now) return [];
      return [requestChanged(place(what), { what, before: quoted(old), after: quoted(now) })];
    }),
    ...contents.map((what) => {
      const isThere = ownValue(present, what) !== undefined;
      return requestChanged(isThere ? place(what) : place(), { what: CONTENT_WORDS[what] ?? what });
    }),
  ];
}

/** What a request sends, as one thing. */
const CONTENT_WORDS: Readonly<Record<string, string>> = { headers: "header", cookies: "cookie" };

function textIn(body: JsonObject, key: string, usual: string): string {
  const value = ownValue(body, key);
  return isJsonObject(value ?? null)
    ? (textOf(value as JsonObject, "template") ?? usual)
    : (textOf(body, key) ?? usual);
}

/** What tools and prompts answer without code. */
const FIXED_ANSWERS = ["content", "structuredContent", "messages"];

/** What resources hold without code. */
const FIXED_CONTENTS = ["text", "blob", "file"];

/** Fixed answers of tools and prompts have rules of their own. */
function compareAnswerers(
  { before, after }: ItemPair,
  was: BodyKey | undefined,
  is: BodyKey | undefined,
): SemanticChange[] {
  const isFixed = [before, after].some(({ value }) => FIXED_ANSWERS.some((key) => key in value));
  if (isFixed) return [];
  const parameters = { before: answererOf(before.value, was), after: answererOf(after.value, is) };
  return [answeredOtherwise(placeIn(after, is ?? "name"), parameters)];
}

/** In words, what answers for an item. */
function answererOf(item: JsonObject, key: BodyKey | undefined): string {
  if (key !== undefined) return BODIES[key];
  return FIXED_CONTENTS.some((content) => content in item) ? "fixed content" : "a handler";
}
