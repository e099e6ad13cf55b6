import type { JsonObject } from "../../model/json.js";
import { BlockReader } from "./block.js";
import { DOUBT } from "./doubt.js";
import { Places } from "./places.js";
import { ToolSources, type KnownSource } from "./tool-sources.js";

export interface PlainManifest {
  readonly value: JsonObject;
  readonly places: Places;
  readonly tools: ToolSources;
}

/**
 * Reads what manifests are mostly made of: blocks and brackets with plain and quoted scalars, literal
 * and folded texts, comments. Everything else (anchors, tags, tabs, numbers in odd notations, every
 * error and every doubt) is for the library, which takes some ten times as long.
 *
 * @param text lines end with a line feed
 * @param known saves reading tools
 * @returns exactly what the library would have read; undefined in doubt
 */
export function readPlain(text: string, known?: KnownSource): PlainManifest | undefined {
  if (/[\t\r\u007f-\u009f\u2028\u2029\ufeff]/.test(text)) return undefined;
  const places = new Places();
  const tools = new ToolSources(known);
  try {
    return { value: new BlockReader(text, places, tools).read(), places, tools };
  } catch (reason) {
    if (reason === DOUBT) return undefined;
    throw reason;
  }
}
