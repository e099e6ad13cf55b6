import { openInputs } from "../../model/catalogue/rules-items.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import { sharedSchemasIn } from "../../schema/input-properties.js";
import { comparePlaces, lineSeenFrom } from "../../model/place.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { entriesIn, itemsOf, mappingIn, rootOf, textIn } from "../manifest-view.js";
import { OpenObjects } from "../schema-rules/open-objects.js";
import { quoted } from "../../text/value-words.js";

/** How many places the warning names. It counts the others. */
const NAMED_PLACES = 3;

/** Keywords whose schemas have names for references. */
const DEFINITIONS = ["$defs", "definitions"];

/**
 * Gives one warning for all objects in arguments of tools that accept properties which nothing
 * describes: such an object accepts a misspelt property.
 */
export function checkOpenInputs(manifest: LoadedManifest): Diagnostic[] {
  const inOrder = openPaths(manifest)
    .map((path) => ({ path, place: manifest.locate(path, "key") }))
    .sort((one, other) => comparePlaces(one.place, other.place));
  // A schema that aliases repeat has one place.
  const open = inOrder.filter(({ place }, index) => {
    const before = inOrder[index - 1]?.place;
    return before === undefined || comparePlaces(place, before) !== 0;
  });
  const [first, ...others] = open
    .slice(0, NAMED_PLACES)
    .map(({ path, place }) => ({ place, subject: subjectAt(manifest, path) }));
  if (first === undefined) return [];
  const named = [first, ...others].map(
    ({ place, subject }) => `${subject} on ${lineSeenFrom(first.place, place)}`,
  );
  const related = others.map(({ place, subject }) => ({
    ...place,
    message: `${subject} is open too`,
  }));
  return [openInputs(first.place, { found: open.length, named }, related)];
}

/** The paths of the open objects in the manifest. */
function openPaths(manifest: LoadedManifest): ManifestPath[] {
  const shared = entriesIn(rootOf(manifest), "schemas");
  const paths = new Map<JsonValue, ManifestPath>(shared.map(([, schema, path]) => [schema, path]));
  const schemas = mappingIn(rootOf(manifest), "schemas")?.value ?? {};
  const objects = new OpenObjects(sharedSchemasIn(schemas));
  for (const { path, value } of itemsOf(manifest, "tools")) {
    const schema = ownValue(value, "inputSchema");
    if (!isJsonObject(schema)) continue;
    if (!paths.has(schema)) paths.set(schema, [...path, "inputSchema"]);
    objects.addInput(schema);
  }
  return objects.open.flatMap(({ root, path }) => {
    const rootPath = paths.get(root);
    return rootPath === undefined ? [] : [[...rootPath, ...path]];
  });
}

/** The words for an object in arguments: `"search" at filter.range`, `schemas.Range`. */
function subjectAt(manifest: LoadedManifest, path: ManifestPath): string {
  const [list, key] = path;
  const isShared = list === "schemas";
  const tool = isShared
    ? undefined
    : itemsOf(manifest, "tools").find((item) => item.path[1] === key);
  const name = tool === undefined ? undefined : textIn(tool.value, "name");
  const names = namesOn(path.slice(isShared ? 2 : 3));
  const schema = isShared ? `schemas.${key}` : quoted(name ?? "");
  return names.length === 0 ? schema : `${schema} at ${names.join(".")}`;
}

/** The names of the properties and definitions on a path to a schema. */
function namesOn(path: ManifestPath): string[] {
  const names: string[] = [];
  for (let index = 0; index < path.length; index++) {
    const keyword = String(path[index]);
    if (keyword === "properties") names.push(String(path[++index]));
    else if (DEFINITIONS.includes(keyword)) names.push(keyword, String(path[++index]));
  }
  return names;
}
