import { isDeepStrictEqual } from "node:util";
import { placeBelow } from "../model/change-places.js";
import { isJsonObject, jsonObjectOf, type JsonObject } from "../model/json.js";
import type { ManifestHttpBody } from "../model/manifest.js";
import type { SemanticChange } from "../model/plan.js";
import { defineRule, type ChangePlace } from "../model/semantic-rule.js";
import { callerPlaceholdersIn } from "../text/caller-placeholders.js";
import { quoted } from "../text/value-words.js";
import {
  callerNeeded,
  changedKeys,
  compareSelections,
  neededOfCallers,
  selectionChanged,
} from "./comparison.js";

export const requestChanged = defineRule<{ content: string; before?: string; after?: string }>({
  id: "request-changed",
  severity: "warning",
  message: ({ content, before, after }) =>
    before === undefined || after === undefined
      ? `the request has another ${content}`
      : `the ${content} of the request was ${before}, is ${after}`,
});

export const requestRules = [requestChanged, callerNeeded, selectionChanged].map(
  ({ rule }) => rule,
);

/** The changes of a request, and of what makes a result from its answer. */
export function compareRequests(
  former: ManifestHttpBody,
  present: ManifestHttpBody,
  place: ChangePlace,
): SemanticChange[] {
  return [
    ...compareTexts(former, present, place),
    ...compareContents(former, present, place),
    ...neededOfCallers(callerPlaceholdersIn(former), callerPlaceholdersIn(present), place),
    ...compareSelections(former.result ?? {}, present.result ?? {}, placeBelow(place, "result")),
  ];
}

/** What a request has as one text, with the words for messages. A former body need not be valid, and may have anything. */
const TEXTS: Readonly<Record<string, (body: JsonObject) => unknown>> = {
  upstream: ({ upstream }) => upstream,
  method: ({ method = "GET" }) => method,
  path: ({ path }) => (isJsonObject(path) ? path["template"] : path),
};

function compareTexts(
  former: ManifestHttpBody,
  present: ManifestHttpBody,
  place: ChangePlace,
): SemanticChange[] {
  return Object.entries(TEXTS).flatMap(([key, textOf]) => {
    const [was, is] = [textOf(jsonObjectOf(former)), textOf(jsonObjectOf(present))];
    if (isDeepStrictEqual(was, is)) return [];
    const areTexts = typeof was === "string" && typeof is === "string";
    const values = areTexts ? { before: quoted(was), after: quoted(is) } : {};
    return [requestChanged(placeBelow(place, key), { content: key, ...values })];
  });
}

/** The keys of what a request sends, with the words that messages use for each. */
const CONTENTS = {
  query: "query",
  headers: "header",
  cookies: "cookie",
  body: "body",
  form: "form",
  multipart: "multipart",
  text: "text",
} as const;

const CONTENT_KEYS = Object.keys(CONTENTS) as readonly (keyof typeof CONTENTS)[];

function compareContents(
  former: ManifestHttpBody,
  present: ManifestHttpBody,
  place: ChangePlace,
): SemanticChange[] {
  return changedKeys(CONTENT_KEYS, former, present).map((key) => {
    const isPresent = present[key] !== undefined;
    return requestChanged(isPresent ? placeBelow(place, key) : place, { content: CONTENTS[key] });
  });
}
