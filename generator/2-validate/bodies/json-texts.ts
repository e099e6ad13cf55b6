import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";

/** A text inside a JSON value of the manifest, and its path. */
export interface JsonText {
  readonly text: string;
  readonly path: ManifestPath;
}

/** All texts inside a JSON value. @param path of the value in the manifest */
export function textsInJson(value: JsonValue | undefined, path: ManifestPath): JsonText[] {
  if (typeof value === "string") return [{ text: value, path }];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => textsInJson(item, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => textsInJson(member, [...path, key]));
}
