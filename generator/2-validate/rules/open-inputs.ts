import { openInputs } from "../../model/catalogue/rules-items.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { entriesIn, itemsOf, rootOf, textIn } from "../manifest-view.js";
import { OpenObjects } from "../schema-rules/open-objects.js";
import { quoted } from "../../text/value-words.js";

/** So many places are named; the others are counted. */
const NAMED_PLACES = 3;

/** Keywords whose schemas references lead to by name. */
const DEFINITIONS = ["$defs", "definitions"];

/**
 * One warning for all objects among the arguments of tools that take properties which nothing
 * describes, so that a misspelt one passes.
 */
export function checkOpenInputs(manifest: LoadedManifest): Diagnostic[] {
  const inOrder = openPaths(manifest)
    .map((path) => ({ path, place: manifest.locate(path, "key") }))
    .sort(({ place: a }, { place: b }) => a.line - b.line || a.column - b.column);
  // What aliases repeat is written once.
  const open = inOrder.filter(({ place }, index) => {
    const before = inOrder[index - 1]?.place;
    return place.line !== before?.line || place.column !== before.column;
  });
  const [first, ...others] = open
    .slice(0, NAMED_PLACES)
    .map(({ path, place }) => ({ place, subject: subjectAt(manifest, path) }));
  if (first === undefined) return [];
  const named = [first, ...others].map(({ place, subject }) => `${subject} on line ${place.line}`);
  const related = others.map(({ place, subject }) => ({
    ...place,
    message: `${subject} is open too`,
  }));
  return [openInputs(first.place, { found: open.length, named }, related)];
}

/** Where the open objects stand in the manifest, whatever leads there. */
function openPaths(manifest: LoadedManifest): ManifestPath[] {
  const shared = entriesIn(rootOf(manifest), "schemas");
  const places = new Map<JsonValue, ManifestPath>(shared.map(([, schema, path]) => [schema, path]));
  const schemas = new Map(shared.map(([name, schema]) => [name, schema]));
  const found = new OpenObjects((name) => {
    const schema = schemas.get(name);
    return isJsonObject(schema) || typeof schema === "boolean" ? schema : undefined;
  });
  for (const { path, value } of itemsOf(manifest, "tools")) {
    const schema = ownValue(value, "inputSchema");
    if (!isJsonObject(schema)) continue;
    if (!places.has(schema)) places.set(schema, [...path, "inputSchema"]);
    found.addInput(schema);
  }
  return found.open.flatMap(({ root, path }) => {
    const rootPath = places.get(root);
    return rootPath === undefined ? [] : [[...rootPath, ...path]];
  });
}

/** What a person calls an object among arguments: `"search" at filter.range`, `schemas.Range`. */
function subjectAt(manifest: LoadedManifest, path: ManifestPath): string {
  const [list, key] = path;
  const isShared = list === "schemas";
  const tool = isShared
    ? undefined
    : itemsOf(manifest, "tools").find((item) => item.path[1] === key);
  const name = tool === undefined ? undefined : textIn(tool.value, "name");
  const names = namesOn(path.slice(isShared ? 2 : 3));
  const whole = isShared ? `schemas.${key}` : quoted(name ?? "");
  return names.length === 0 ? whole : `${whole} at ${names.join(".")}`;
}

/** The names of the properties and definitions on the way to a schema. */
function namesOn(path: ManifestPath): string[] {
  const names: string[] = [];
  for (let index = 0; index < path.length; index++) {
    const keyword = String(path[index]);
    if (keyword === "properties") names.push(String(path[++index]));
    else if (DEFINITIONS.includes(keyword)) names.push(keyword, String(path[++index]));
  }
  return names;
}
