import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";

/**
 * The tool in which an error stands, or those that refer to the shared schema in which it stands, by their places in
 * the list.
 *
 * @throws where it stands in neither
 */
export function toolsAt(manifest: LoadedManifest, error: Diagnostic): number[] {
  const isIn = (path: ManifestPath): boolean => {
    const start = manifest.locate(path, "key");
    const { endLine } = manifest.locate(path, "value");
    return start.line <= error.line && error.line <= endLine;
  };
  const list = ownValue(manifest.value, "tools");
  const items = Array.isArray(list) ? list : [];
  const inside = [...items.keys()].filter((index) => isIn(["tools", index]));
  if (inside.length > 0) return inside;
  const schemas = ownValue(manifest.value, "schemas");
  const names = isJsonObject(schemas) ? Object.keys(schemas) : [];
  const wrong = names.find((name) => isIn(["schemas", name]));
  if (wrong === undefined || !isJsonObject(schemas)) {
    throw new Error(`the imported manifest is wrong: ${error.message}`);
  }
  return [...items.keys()].filter((index) =>
    reaches(items[index] ?? null, wrong, schemas, new Set()),
  );
}

function reaches(
  value: JsonValue,
  wanted: string,
  schemas: JsonObject,
  seen: Set<string>,
): boolean {
  const names = [...JSON.stringify(value).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return names.some((name) => {
    if (name === wanted) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return reaches(ownValue(schemas, name) ?? null, wanted, schemas, seen);
  });
}
