import type { JsonObject } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { adviceForKey, type KeyAdvice } from "./key-advice.js";
import { isSureName } from "../text/nearest-name.js";
import { alternativesOf, childNode, nodeAt, type SchemaNode } from "./manifest-schema.js";
import type { Mapping } from "./manifest-view.js";
import { meantName } from "./meant-name.js";
import { COMMA_ADVICE, followsComma } from "./source-text.js";

/** What an unknown key most likely is. */
export interface UnknownKey extends Partial<KeyAdvice> {
  /** The key that is meant. */
  readonly nearest?: string;
  /** True if no other key can be meant. */
  readonly isSure?: boolean;
  readonly explains: readonly string[];
}

/** The unknown keys of a mapping, each with what it most likely is. */
export function unknownKeysOf(
  manifest: LoadedManifest,
  node: SchemaNode,
  mapping: JsonObject,
  path: ManifestPath,
): ReadonlyMap<string, UnknownKey> {
  const unknown = new Map<string, UnknownKey>();
  const alternatives = alternativesOf(node);
  if (!alternatives.some(({ additionalProperties }) => additionalProperties === false)) {
    return unknown;
  }
  for (const key of Object.keys(mapping)) {
    if (alternatives.some((alternative) => childNode(alternative, key) !== undefined)) continue;
    const place = manifest.locate([...path, key], "key");
    const isCutText = mapping[key] === null && followsComma(manifest, place);
    unknown.set(
      key,
      isCutText ? { advice: COMMA_ADVICE, explains: [] } : meaningOf(key, node, mapping),
    );
  }
  return unknown;
}

function meaningOf(key: string, node: SchemaNode, mapping: JsonObject): UnknownKey {
  const { required = [] } = node;
  // Of alternatives, only the key that tells them apart is certain.
  const candidates = node.oneOf === undefined ? Object.keys(node.properties ?? {}) : required;
  const absent = candidates.filter((name) => !Object.hasOwn(mapping, name));
  const nearest = meantName(key, absent);
  if (nearest !== undefined)
    return { nearest, isSure: isSureName(key, nearest, candidates), explains: [nearest] };
  return adviceForKey(key, node, mapping) ?? { explains: [] };
}

/** True if an unknown key of a mapping is most likely one of these keys, so that these are not missing. */
export function meansOneOf(
  manifest: LoadedManifest,
  { path, value }: Mapping,
  keys: readonly string[],
): boolean {
  const node = nodeAt(manifest.value, path);
  if (node === undefined) return false;
  const unknown = [...unknownKeysOf(manifest, node, value, path).values()];
  return unknown.some(({ explains }) => explains.some((key) => keys.includes(key)));
}
