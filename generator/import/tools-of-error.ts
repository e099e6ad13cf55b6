import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { ownValue } from "../schema/json-schema.js";

/**
 * The tools that an error is about: the tool that contains the error, or all tools that refer to the shared schema that
 * contains it.
 *
 * @returns the indexes of the tools
 * @throws Error if the error is in neither
 */
export function toolsAt(manifest: LoadedManifest, error: Diagnostic): number[] {
  const containsError = (path: ManifestPath): boolean => {
    const start = manifest.locate(path, "key");
    const { endLine } = manifest.locate(path, "value");
    return start.line <= error.line && error.line <= endLine;
  };
  const list = ownValue(manifest.value, "tools");
  const items = Array.isArray(list) ? list : [];
  const containing = [...items.keys()].filter((index) => containsError(["tools", index]));
  if (containing.length > 0) return containing;
  const schemas = ownValue(manifest.value, "schemas");
  const names = isJsonObject(schemas) ? Object.keys(schemas) : [];
  const faultySchema = names.find((name) => containsError(["schemas", name]));
  if (faultySchema === undefined || !isJsonObject(schemas)) {
    throw new Error(`the imported manifest is wrong: ${error.message}`);
  }
  return [...items.keys()].filter((index) =>
    reaches(items[index] ?? null, faultySchema, schemas, new Set()),
  );
}

/** True if a value refers to a shared schema, directly or through others. @param visited schemas to skip */
function reaches(
  value: JsonValue,
  target: string,
  schemas: JsonObject,
  visited: Set<string>,
): boolean {
  const names = [...JSON.stringify(value).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return names.some((name) => {
    if (name === target) return true;
    if (visited.has(name)) return false;
    visited.add(name);
    return reaches(ownValue(schemas, name) ?? null, target, schemas, visited);
  });
}
