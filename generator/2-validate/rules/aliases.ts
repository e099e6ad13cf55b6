import type { Place } from "../../model/place.js";
import { aliasTaken } from "../../model/catalogue/rules-names.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { itemsOf, listIn, textIn } from "../manifest-view.js";
import { quoted } from "../../text/value-words.js";

/** Checks that each alias is neither the name of a tool nor another alias, so that a name means one tool. */
export function checkAliases(manifest: LoadedManifest): Diagnostic[] {
  const tools = itemsOf(manifest, "tools");
  if (tools.every(({ value }) => listIn(value, "aliases").length === 0)) return [];
  const taken = new Map<string, Place>();
  for (const { path, value } of tools) {
    const name = textIn(value, "name");
    if (name === undefined || taken.has(name)) continue;
    taken.set(name, manifest.locate([...path, "name"], "value"));
  }
  return tools.flatMap(({ path, value }) =>
    listIn(value, "aliases").flatMap((alias, index) =>
      typeof alias === "string" ? problem(manifest, alias, [...path, "aliases", index], taken) : [],
    ),
  );
}

function problem(
  manifest: LoadedManifest,
  alias: string,
  path: ManifestPath,
  taken: Map<string, Place>,
): Diagnostic[] {
  const place = manifest.locate(path, "value");
  const first = taken.get(alias);
  if (first === undefined) {
    taken.set(alias, place);
    return [];
  }
  const name = quoted(alias);
  const related = { ...first, message: `${name} is here` };
  return [aliasTaken(place, { name, first }, [related])];
}
