import { loadManifest, type LoadResult } from "../1-load/load.js";
import type { Validation } from "../2-validate/validate.js";
import { canonicalManifest, rememberCanonical } from "../3-normalize/canonical.js";
import type { KnownTools } from "../6-reconcile/known-tools.js";
import { hashOfSource } from "../6-reconcile/tool-sources.js";
import { isJsonObject, writtenJson } from "../model/json.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { mayRefer } from "../schema/schema-reference.js";
import { countFeeds } from "../text/line-ends.js";

/**
 * Loads a manifest without reading the tools that the last generation knows. What is to be found in a tool
 * may depend on the rest of the manifest: where that is another, none is known.
 */
export function loadWithKnown(file: string, bytes: Uint8Array, known?: KnownTools): LoadResult {
  if (known === undefined) return loadManifest(file, bytes);
  const loaded = loadManifest(file, bytes, known.find);
  const { manifest } = loaded;
  if (manifest?.knownTools === undefined || manifest.knownTools.size === 0) return loaded;
  for (const tool of manifest.knownTools) rememberCanonical(tool);
  return known.hasSameRest(canonicalManifest(manifest.value)) ? loaded : loadManifest(file, bytes);
}

/**
 * By name, the hash of the source of each tool that says nothing about any other place, and in which nothing
 * was found, whatever its severity, nor would be beside other tools.
 *
 * @param known what the tools were loaded with
 */
export function faultlessSources(
  manifest: LoadedManifest,
  { found, costly }: Validation,
  known?: KnownTools,
): ReadonlyMap<string, string> {
  const { tools, schemas } = manifest.value;
  const { toolSources = [], knownTools } = manifest;
  const hashes = new Map<string, string>();
  if (!Array.isArray(tools) || toolSources.length === 0) return hashes;
  const faulty = new Set(found.map(({ line }) => line));
  let { line } = manifest.locate(["tools", 0], "value");
  for (const [index, source] of toolSources.entries()) {
    const tool = tools[index];
    const next = line + countFeeds(source);
    const isFaulty = hasAny(faulty, line, next);
    line = next;
    if (isFaulty || !isJsonObject(tool) || costly.has(tool)) continue;
    // A shared schema is judged by all that leads to it.
    if (schemas && mayRefer(writtenJson(tool))) continue;
    const hash = knownTools?.has(tool) === true ? known?.hashOf(tool) : undefined;
    hashes.set(String(tool["name"]), hash ?? hashOfSource(source));
  }
  return hashes;
}

function hasAny(lines: ReadonlySet<number>, from: number, to: number): boolean {
  for (let line = from; lines.size > 0 && line < to; line += 1) if (lines.has(line)) return true;
  return false;
}
