import { includedKeyTwice } from "../model/catalogue/includes.js";
import { tooManyKeys } from "../model/catalogue/load-limits.js";
import { wrongType } from "../model/catalogue/manifest.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { describeValue, quoted } from "../text/value-words.js";
import { LIMITS } from "./limits.js";

/** The sections that an included file may have, and whether each is a list or a mapping. */
export const PART_SECTIONS: ReadonlyMap<string, "list" | "mapping"> = new Map([
  ["tools", "list"],
  ["resources", "list"],
  ["resourceTemplates", "list"],
  ["prompts", "list"],
  ["schemas", "mapping"],
  ["upstreams", "mapping"],
  ["databases", "mapping"],
  ["env", "mapping"],
]);

/** The file in which an entry of a section stands, and its place in the section of that file. */
interface Origin {
  readonly manifest: LoadedManifest;
  readonly key: string | number;
}

/**
 * Joins the sections of included files to those of the manifest, in this order, so that they read like one file. Each
 * place stays that of the file where it is written.
 */
export function joinParts(
  main: LoadedManifest,
  parts: readonly LoadedManifest[],
): { readonly manifest: LoadedManifest; readonly diagnostics: readonly Diagnostic[] } {
  const { include: _include, ...value } = main.value;
  const files = [main, ...parts];
  const diagnostics: Diagnostic[] = [];
  const origins = new Map<string, Map<string | number, Origin>>();
  for (const [section, kind] of PART_SECTIONS) {
    const having = files.filter((file) => Object.hasOwn(file.value, section));
    const wrong = having.filter((file) => kindOf(file.value[section]) !== kind);
    if (having.length === 0) continue;
    diagnostics.push(...wrong.flatMap((file) => (file === main ? [] : typeProblem(file, section))));
    // Validation reports the manifest's own.
    if (wrong.length > 0) continue;
    const entries = new Map<string | number, Origin>();
    value[section] = kind === "list" ? joinLists(having, section, entries) : {};
    if (kind === "mapping") value[section] = joinMappings(having, section, entries, diagnostics);
    origins.set(section, entries);
  }
  const manifest: LoadedManifest = {
    file: main.file,
    texts: new Map(files.flatMap(({ texts }) => [...texts])),
    value,
    locate: (path, target) => {
      const at = placeInFiles(files, origins, path);
      return at.manifest.locate(at.path, target);
    },
  };
  return { manifest, diagnostics };
}

function kindOf(value: JsonValue | undefined): "list" | "mapping" | undefined {
  if (Array.isArray(value)) return "list";
  return isJsonObject(value) ? "mapping" : undefined;
}

function typeProblem(file: LoadedManifest, section: string): Diagnostic {
  const expected = `a ${PART_SECTIONS.get(section) ?? "list"}`;
  const found = describeValue(file.value[section] ?? null);
  const place = file.locate([section], "value");
  return wrongType(place, { subject: quoted(section), expected, found });
}

function joinLists(
  files: readonly LoadedManifest[],
  section: string,
  entries: Map<string | number, Origin>,
): JsonValue[] {
  return files.flatMap((manifest) => {
    const items = manifest.value[section] as JsonValue[];
    for (const key of items.keys()) entries.set(entries.size, { manifest, key });
    return items;
  });
}

function joinMappings(
  files: readonly LoadedManifest[],
  section: string,
  entries: Map<string | number, Origin>,
  diagnostics: Diagnostic[],
): JsonObject {
  const joined: JsonObject = {};
  for (const manifest of files) {
    for (const [key, value] of Object.entries(manifest.value[section] as JsonObject)) {
      const earlier = entries.get(key);
      if (earlier === undefined) {
        entries.set(key, { manifest, key });
        joined[key] = value;
        continue;
      }
      const first = earlier.manifest.locate([section, key], "key");
      const place = manifest.locate([section, key], "key");
      const related = [{ ...first, message: "the first one" }];
      diagnostics.push(includedKeyTwice(place, { key: quoted(key), first }, related));
    }
  }
  const [found, limit] = [entries.size, LIMITS.keys];
  const place = files.at(-1)?.locate([section], "key");
  if (found > limit && place !== undefined) diagnostics.push(tooManyKeys(place, { found, limit }));
  return joined;
}

/** The file where a path of the joined manifest leads, and the path in that file. */
function placeInFiles(
  files: readonly LoadedManifest[],
  origins: ReadonlyMap<string, ReadonlyMap<string | number, Origin>>,
  path: ManifestPath,
): { readonly manifest: LoadedManifest; readonly path: ManifestPath } {
  const [section, entry, ...inner] = path;
  const origin = entry === undefined ? undefined : origins.get(String(section))?.get(entry);
  if (section !== undefined && origin !== undefined) {
    return { manifest: origin.manifest, path: [section, origin.key, ...inner] };
  }
  const first = files.find((file) => Object.hasOwn(file.value, String(section)));
  return { manifest: (first ?? files[0]) as LoadedManifest, path };
}
