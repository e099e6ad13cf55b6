import { isDeepStrictEqual } from "node:util";
import { BODIES, BODY_KEYS } from "../bodies/index.js";
import { callerNamesIn, callerPlaceholdersIn } from "../text/caller-placeholders.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import { quoted } from "../text/value-words.js";
import {
  answeredOtherwise,
  callerNeeded,
  commandChanged,
  directoryMoved,
  directoryOpened,
  passedOtherwise,
  requestChanged,
  selectionChanged,
  statementChanged,
  statementWrites,
} from "./catalogue/bodies.js";
import { mappingOf, onlyIn, placeIn, textOf, type ItemPair } from "./manifest-items.js";
import { placeBelow } from "./places.js";
import type { ChangePlace, RuleMaker } from "./rule.js";

type BodyKey = keyof typeof BODIES;

function bodyOf(item: JsonObject): BodyKey | undefined {
  return BODY_KEYS.find((key) => isJsonObject(item[key] ?? null));
}

/** The changes of an item's body: of its kind, and of what it sends, runs or reads. */
export function compareBodies({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [bodyOf(before.value), bodyOf(after.value)];
  if (was !== is) return compareBodyKinds({ before, after }, was, is);
  if (was === undefined) return [];
  return compareSameKind(was, before.value, after.value, placeIn(after));
}

/**
 * The changes between two bodies of the same kind.
 *
 * @param place where the object is that has the body
 */
function compareSameKind(
  key: BodyKey,
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
): SemanticChange[] {
  return COMPARISONS[key](mappingOf(before, key), mappingOf(after, key), placeBelow(place, key));
}

/** Compares two bodies of one kind; `place` is that of the body. */
type BodyComparison = (
  former: JsonObject,
  present: JsonObject,
  place: ChangePlace,
) => SemanticChange[];

const COMPARISONS: Readonly<Record<BodyKey, BodyComparison>> = {
  http: (former, present, place) => [
    ...compareRequests(former, present, place),
    ...neededOfCallers(callerPlaceholdersIn(former), callerPlaceholdersIn(present), place),
    ...compareSelections(
      mappingOf(former, "result"),
      mappingOf(present, "result"),
      placeBelow(place, "result"),
    ),
  ],
  sql: (former, present, place) => [
    ...compareStatements(former, present, place),
    ...compareSelections(former, present, place),
  ],
  exec: comparisonOfKeys(["command", "cwd", "env", "stdin"], commandChanged),
  directory: compareDirectories,
  mcp: (former, present, place) => [
    ...comparePassedCalls(former, present, place),
    ...compareSelections(former, present, place),
  ],
};

const comparePassedCalls = comparisonOfKeys(
  ["upstream", "name", "arguments", "uri", "uriTemplate"],
  passedOtherwise,
);

const compareSelections = comparisonOfKeys(
  ["from", "fields", "select", "noContent", "headers"],
  selectionChanged,
);

function compareDirectories(
  former: JsonObject,
  present: JsonObject,
  place: ChangePlace,
): SemanticChange[] {
  const isMoved = !isDeepStrictEqual(former["root"], present["root"]);
  const isOpened = present["hidden"] === true && former["hidden"] !== true;
  return [
    ...(isMoved ? [directoryMoved(placeBelow(place, "root"), {})] : []),
    ...(isOpened ? [directoryOpened(placeBelow(place, "hidden"), {})] : []),
  ];
}

/** Makes a comparison that reports each of some keys whose value changed. */
function comparisonOfKeys(
  keys: readonly string[],
  changed: RuleMaker<{ key: string }>,
): BodyComparison {
  return (former, present, place) =>
    keys
      .filter((key) => !isDeepStrictEqual(former[key], present[key]))
      .map((key) => changed(placeBelow(place, key), { key }));
}

/**
 * The changes of a source, which completes an argument or lists the instances of a template.
 *
 * @param before a body, a list of values, or "code"
 */
export function compareSource(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: ChangePlace,
): SemanticChange[] {
  const [former, present] = [before, after].map((value) =>
    isJsonObject(value ?? null) ? (value as JsonObject) : {},
  ) as [JsonObject, JsonObject];
  const [was, is] = [bodyOf(former), bodyOf(present)];
  if (was !== is) {
    if (before === undefined || after === undefined) return [];
    const words = { before: sourceInWords(before, was), after: sourceInWords(after, is) };
    return [answeredOtherwise(place, words)];
  }
  return was === undefined ? [] : compareSameKind(was, former, present, place);
}

/** In words, what finds values. */
function sourceInWords(source: JsonValue, key: BodyKey | undefined): string {
  if (key !== undefined) return BODIES[key].words;
  return source === "code" ? "code" : "a list of the manifest";
}

/** What a body uses of its caller now and did not use before: callers without it are refused. */
function neededOfCallers(
  was: readonly string[],
  is: readonly string[],
  place: ChangePlace,
): SemanticChange[] {
  return onlyIn(is, was).map((name) => callerNeeded(place, { name }));
}

function compareStatements(
  former: JsonObject,
  present: JsonObject,
  place: ChangePlace,
): SemanticChange[] {
  const mayWrite = present["write"] === true && former["write"] !== true;
  return [
    ...comparisonOfKeys(["database", "query", "role", "set"], statementChanged)(
      former,
      present,
      place,
    ),
    ...neededOfCallers(callerNamesIn(former), callerNamesIn(present), place),
    ...(mayWrite ? [statementWrites(placeBelow(place, "write"), {})] : []),
  ];
}

/** The keys of a request that have one text as their value, with their defaults. */
const REQUEST_TEXTS = { upstream: "", method: "GET", path: "" } as const;

/** The keys of what a request sends, with the words that messages use for each. */
const REQUEST_CONTENTS = {
  query: "query",
  headers: "header",
  cookies: "cookie",
  body: "body",
  form: "form",
  multipart: "multipart",
  text: "text",
} as const;

function compareRequests(
  former: JsonObject,
  present: JsonObject,
  place: ChangePlace,
): SemanticChange[] {
  const contents = Object.entries(REQUEST_CONTENTS).filter(
    ([key]) => !isDeepStrictEqual(ownValue(former, key), ownValue(present, key)),
  );
  return [
    ...Object.entries(REQUEST_TEXTS).flatMap(([key, defaultText]) => {
      const [was, is] = [former, present].map((body) => requestText(body, key) ?? defaultText);
      if (was === undefined || is === undefined || was === is) return [];
      const parameters = { content: key, before: quoted(was), after: quoted(is) };
      return [requestChanged(placeBelow(place, key), parameters)];
    }),
    ...contents.map(([key, content]) => {
      const isPresent = ownValue(present, key) !== undefined;
      return requestChanged(isPresent ? placeBelow(place, key) : place, { content });
    }),
  ];
}

/** The text under a key, or the template under it. */
function requestText(body: JsonObject, key: string): string | undefined {
  return textOf(body, key) ?? textOf(mappingOf(body, key), "template");
}

/** The keys of tools and prompts under which the manifest states their answers. */
const FIXED_ANSWERS = ["content", "structuredContent", "messages"];

/** The keys of resources under which the manifest states their contents. */
const FIXED_CONTENTS = ["text", "blob", "file"];

/** Reports that the kind of body changed. Fixed answers of tools and prompts have rules of their own. */
function compareBodyKinds(
  { before, after }: ItemPair,
  was: BodyKey | undefined,
  is: BodyKey | undefined,
): SemanticChange[] {
  const isFixed = [before, after].some(({ value }) => FIXED_ANSWERS.some((key) => key in value));
  if (isFixed) return [];
  const parameters = { before: answererOf(before.value, was), after: answererOf(after.value, is) };
  return [answeredOtherwise(placeIn(after, is ?? "name"), parameters)];
}

/** Says what answers for an item: its body, its fixed content, or a handler. */
function answererOf(item: JsonObject, key: BodyKey | undefined): string {
  if (key !== undefined) return BODIES[key].words;
  return FIXED_CONTENTS.some((content) => content in item) ? "fixed content" : "a handler";
}
