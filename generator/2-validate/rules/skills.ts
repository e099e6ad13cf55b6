import { exposedDirectory } from "../../model/catalogue/directory-bodies.js";
import { skillFolderNamed, skillNameTaken } from "../../model/catalogue/skills.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { lineSeenFrom } from "../../model/place.js";
import { isSkillName, skillFolderName } from "../../model/skills.js";
import { quoted } from "../../text/value-words.js";
import { isExposedFolder } from "../bodies/directory.js";
import { itemsOf, textIn } from "../manifest-view.js";

/** Checks the folders of skills: their names, which no other item that is read has, and what is in them. */
export function checkSkills(manifest: LoadedManifest): Diagnostic[] {
  const first = firstPlaces(manifest);
  return itemsOf(manifest, "skills").flatMap(({ path, value }) => {
    const root = textIn(value, "root");
    if (root === undefined) return [];
    const name = skillFolderName(root);
    const place = manifest.locate([...path, "root"], "value");
    const found = quoted(name);
    if (!isSkillName(name)) {
      return [skillFolderNamed(place, { name: found })];
    }
    const taken = first.get(name);
    first.set(name, taken ?? { by: "another folder of skills", path: [...path, "root"] });
    const line = taken && lineSeenFrom(place, manifest.locate(taken.path, "value"));
    return [
      ...(taken === undefined || line === undefined
        ? []
        : [skillNameTaken(place, { name: found, by: taken.by, line })]),
      ...(isExposedFolder(root) ? [exposedDirectory(place, { root: quoted(root) })] : []),
    ];
  });
}

/** Where the names of resources and templates stand. */
function firstPlaces(manifest: LoadedManifest): Map<string, { by: string; path: ManifestPath }> {
  const lists = { resources: "the resource", resourceTemplates: "the resource template" };
  return new Map(
    Object.entries(lists).flatMap(([list, by]) =>
      itemsOf(manifest, list).flatMap(({ path, value }) => {
        const name = textIn(value, "name");
        return name === undefined ? [] : [[name, { by, path: [...path, "name"] }] as const];
      }),
    ),
  );
}
