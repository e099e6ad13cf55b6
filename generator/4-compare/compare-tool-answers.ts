import { canonicalText } from "../schema/values.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import type { SemanticChange } from "../model/plan.js";
import { fixedAnswerChanged, headerParameterAdded, resultTextChanged } from "./catalogue/tools.js";
import { mappingOf, placeIn, textOf, type ItemPair } from "./manifest-items.js";

/** The change of an answer that the manifest states. Answers of handlers are unknown. */
export function compareFixedAnswer({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [fixedAnswer(before.value), fixedAnswer(after.value)];
  if (was === undefined || is === undefined || was === is) return [];
  const key = Object.hasOwn(after.value, "content") ? "content" : "structuredContent";
  return [fixedAnswerChanged(placeIn(after, key), {})];
}

/** The change of the text beside structured results. */
export function compareResultTexts({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [before, after].map(
    ({ value }) => textOf(mappingOf(value, "result"), "text") ?? "json",
  ) as [string, string];
  if (was === is) return [];
  return [resultTextChanged(placeIn(after, "result"), { before: was, after: is })];
}

function fixedAnswer(tool: JsonObject): string | undefined {
  const [content, structured] = ["content", "structuredContent"].map((key) => ownValue(tool, key));
  if (content === undefined && structured === undefined) return undefined;
  const isError = ownValue(tool, "isError") === true;
  return canonicalText([content ?? null, structured ?? null, isError]);
}

/** The headers in which calls over HTTP must repeat an argument, and did not have to before. */
export function compareHeaderParameters({ before, after }: ItemPair): SemanticChange[] {
  const former = new Set(
    [...headersIn(mappingOf(before.value, "inputSchema"))].map(([name]) => name.toLowerCase()),
  );
  return [...headersIn(mappingOf(after.value, "inputSchema"))]
    .filter(([header]) => !former.has(header.toLowerCase()))
    .map(([header, path]) =>
      headerParameterAdded(placeIn(after, "inputSchema", ...path), { header }),
    );
}

/** The longest path that is followed: a lock may nest deeper than manifests do. */
const MAX_PATH_LENGTH = 64;

/** Yields the headers of a schema's properties at every depth, with the path to each. */
function* headersIn(
  schema: JsonObject,
  path: ManifestPath = [],
): Generator<[header: string, path: ManifestPath]> {
  const header = ownValue(schema, "x-mcp-header");
  if (typeof header === "string") yield [header, path];
  if (path.length > MAX_PATH_LENGTH) return;
  for (const [name, property] of Object.entries(mappingOf(schema, "properties"))) {
    if (isJsonObject(property)) yield* headersIn(property, [...path, "properties", name]);
  }
}
