import { ABOUT_SERVER, differentOutsideTools } from "../5-emit/former/former-generation.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { isGeneratedBy, type GeneratorIdentity } from "./is-current.js";
import type { LockState } from "./read-lock.js";
import { hashOfSource } from "./tool-sources.js";

/** What the last generation knows of the tools of a manifest. */
export interface KnownTools {
  /** The tool, in canonical form, that is written so, if nothing was to be found in it. */
  find(source: string): JsonObject | undefined;
  /** Hash of the source of a tool that was found. */
  hashOf(tool: JsonObject): string | undefined;
  /** Whether nothing but tools differs from the manifest, which is canonical. */
  hasSameRest(manifest: JsonObject): boolean;
}

/**
 * What the lock proves of tools: the very same generator has read them and found nothing in them.
 *
 * @returns undefined where it proves nothing
 */
export function knownTools(state: LockState, generator: GeneratorIdentity): KnownTools | undefined {
  if (state.kind !== "read" || state.conflicted || state.lock.toolSources.size === 0)
    return undefined;
  const { lock } = state;
  const { tools = [] } = lock.manifest;
  if (!isGeneratedBy(lock, generator) || !Array.isArray(tools)) return undefined;
  const byHash = new Map<string, JsonObject>();
  for (const tool of tools) {
    const source = isJsonObject(tool) ? lock.toolSources.get(String(tool["name"])) : undefined;
    if (isJsonObject(tool) && source !== undefined) byHash.set(source, tool);
  }
  return {
    find: (source) => byHash.get(hashOfSource(source)),
    hashOf: (tool) => lock.toolSources.get(String(tool["name"])),
    hasSameRest: (manifest) =>
      differentOutsideTools(lock.manifest, manifest).every((key) => ABOUT_SERVER.has(key)),
  };
}
