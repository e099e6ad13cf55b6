import { statSync } from "node:fs";
import { join } from "node:path";
import { isOutside } from "../1-load/boundary.js";
import { itemsOf, textIn } from "../2-validate/manifest-view.js";
import { resourceFileAbsent } from "../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { quoted } from "../text/value-words.js";

/**
 * Warns of resources whose file is absent. It is no error, since the server reads it at each request, and a build may make it.
 *
 * @param folder the absolute path of the manifest's folder
 */
export function checkResourceFiles(manifest: LoadedManifest, folder: string): Diagnostic[] {
  return itemsOf(manifest, "resources").flatMap(({ path, value }) => {
    const file = textIn(value, "file");
    if (file === undefined || isFile(join(folder, file))) return [];
    const place = manifest.locate([...path, "file"], "value");
    return [resourceFileAbsent(place, { file: quoted(file) })];
  });
}

function isFile(path: string): boolean {
  if (isOutside(path)) return false;
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
