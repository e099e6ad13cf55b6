import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import {
  alternativeFor,
  childNode,
  isEmbeddedSchema,
  manifestSchema,
  resolveNode,
  type SchemaNode,
} from "./manifest-schema.js";
import { unknownKeysOf } from "./unknown-keys.js";

/**
 * A manifest in which misspelt keys are read as the keys that they most likely mean. Places are those of the
 * manifest as it is written. The manifest itself if it has no such keys.
 */
export function meantManifest(manifest: LoadedManifest): LoadedManifest {
  const reading = new Reading(manifest);
  const value = reading.read(manifestSchema(), manifest.value, [], []);
  if (reading.written.size === 0 || !isJsonObject(value)) return manifest;
  return {
    ...manifest,
    value,
    locate: (path, target) => manifest.locate(reading.pathAsWritten(path), target),
  };
}

class Reading {
  /** The misspelt keys by the paths of the meant ones. */
  readonly written = new Map<string, string>();
  readonly #manifest: LoadedManifest;

  constructor(manifest: LoadedManifest) {
    this.#manifest = manifest;
  }

  pathAsWritten(path: ManifestPath): ManifestPath {
    return path.map(
      (step, index) => this.written.get(JSON.stringify(path.slice(0, index + 1))) ?? step,
    );
  }

  /** @param meant the value's path with the keys that are meant */
  read(
    unresolved: SchemaNode,
    value: JsonValue,
    path: ManifestPath,
    meant: ManifestPath,
  ): JsonValue {
    if (isEmbeddedSchema(unresolved)) return value;
    const node = alternativeFor(resolveNode(unresolved), value);
    if (node === undefined) return value;
    if (isJsonObject(value)) return this.#readMapping(node, value, path, meant);
    const { items } = node;
    if (!Array.isArray(value) || items === undefined) return value;
    return value.map((item, index) => this.read(items, item, [...path, index], [...meant, index]));
  }

  #readMapping(
    node: SchemaNode,
    mapping: JsonObject,
    path: ManifestPath,
    meant: ManifestPath,
  ): JsonObject {
    const unknown = unknownKeysOf(this.#manifest, node, mapping, path);
    const taken = new Set(Object.keys(mapping));
    const entries = Object.entries(mapping).map(([key, value]): [string, JsonValue] => {
      const nearest = unknown.get(key)?.nearest;
      const name = nearest === undefined || taken.has(nearest) ? key : nearest;
      taken.add(name);
      const at = [...meant, name];
      if (name !== key) this.written.set(JSON.stringify(at), key);
      const child = childNode(node, name);
      return [name, child === undefined ? value : this.read(child, value, [...path, key], at)];
    });
    return Object.fromEntries(entries);
  }
}
