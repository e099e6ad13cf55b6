import { contentConflict } from "../../model/catalogue/rules-resources.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { entriesIn, has, ITEM_LISTS, itemsOf, type Mapping } from "../manifest-view.js";

const FORMS = ["requestedSchema", "url"];

/** Each question of each item, with its key and where it stands. */
export function elicitationsOf(manifest: LoadedManifest): Mapping[] {
  return ITEM_LISTS.flatMap((list) => itemsOf(manifest, list)).flatMap((item) =>
    entriesIn(item, "elicitations").flatMap(([, value, path]) =>
      isJsonObject(value) ? [{ path, value }] : [],
    ),
  );
}

/** A question is a form or a page to open. */
export function checkElicitations(manifest: LoadedManifest): Diagnostic[] {
  return elicitationsOf(manifest).flatMap(({ path, value }) => {
    const [first, second] = FORMS.filter((key) => has(value, key));
    if (first !== undefined && second === undefined) return [];
    const place = manifest.locate(second === undefined ? path : [...path, second], "key");
    return [contentConflict(place, { what: "an elicitation", keys: FORMS })];
  });
}
