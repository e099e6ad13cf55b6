import { missingKey, notAllowed, wrongType } from "../model/catalogue/manifest.js";
import { contentConflict } from "../model/catalogue/rules-resources.js";
import type { JsonObject } from "../model/json.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { wholeFile } from "../model/place.js";
import { checkSources } from "./bodies/source-items.js";
import { checkStructure } from "./structure.js";

/** What later phases cannot read. Keys, limits and patterns that another version takes do no harm. */
const DAMAGE: ReadonlySet<string> = new Set(
  [wrongType, missingKey, notAllowed, contentConflict].map(({ entry }) => entry.code),
);

/**
 * Why later phases cannot read the manifest of a lock, in words; undefined if they can. They take what a lock holds as
 * checked, and somebody may have edited it there.
 *
 * @param file path of the lock
 */
export function damageOf(value: JsonObject, file: string): string | undefined {
  const place = wholeFile(file);
  const manifest: LoadedManifest = { file, texts: new Map(), value, locate: () => place };
  const problems = [...checkStructure(manifest), ...checkSources(manifest)];
  return problems.find(({ code }) => DAMAGE.has(code))?.message;
}
