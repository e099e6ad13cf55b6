import { statSync } from "node:fs";
import { join } from "node:path";
import { isOutside } from "../1-load/boundary.js";
import { itemsOf, mappingIn, textIn, type Mapping } from "../2-validate/manifest-view.js";
import { resourceFileAbsent } from "../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { AUTO_PAGE } from "../text/app-uri.js";
import { quoted } from "../text/value-words.js";

/**
 * Warns of resources and pages of tools whose file is absent. It is no error, since the server reads it at each request, and
 * a build may make it.
 *
 * @param folder the absolute path of the manifest's folder
 */
export function checkResourceFiles(manifest: LoadedManifest, folder: string): Diagnostic[] {
  const files = itemsOf(manifest, "resources").map((resource) => fileIn(resource, "file"));
  const pages = itemsOf(manifest, "tools").map((tool) => {
    const app = mappingIn(tool, "ui");
    return app === undefined ? fileIn(tool, "ui") : fileIn(app, "file");
  });
  const named = [...files, ...pages.filter(({ file }) => file !== AUTO_PAGE)];
  return named.flatMap(({ path, file }) => {
    if (file === undefined || isFile(join(folder, file))) return [];
    return [resourceFileAbsent(manifest.locate(path, "value"), { file: quoted(file) })];
  });
}

/** The name of a file that a mapping has under a key. */
function fileIn({ path, value }: Mapping, key: string) {
  return { path: [...path, key], file: textIn(value, key) };
}

function isFile(path: string): boolean {
  if (isOutside(path)) return false;
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
