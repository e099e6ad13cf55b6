import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { entriesIn, ITEM_LISTS, itemsOf, type Mapping } from "../manifest-view.js";
import { oneOfProblems } from "./content.js";

const FORMS = ["requestedSchema", "url"];

/** All questions of all items. */
export function elicitationsOf(manifest: LoadedManifest): Mapping[] {
  return ITEM_LISTS.flatMap((list) => itemsOf(manifest, list)).flatMap((item) =>
    entriesIn(item, "elicitations").flatMap(([, value, path]) =>
      isJsonObject(value) ? [{ path, value }] : [],
    ),
  );
}

/** Checks that each question is either a form or a page to open. */
export function checkElicitations(manifest: LoadedManifest): Diagnostic[] {
  return elicitationsOf(manifest).flatMap((question) =>
    oneOfProblems(manifest, question, "an elicitation", FORMS),
  );
}
