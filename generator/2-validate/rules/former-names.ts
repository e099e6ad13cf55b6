import type { Place } from "../../model/place.js";
import { formerNameClaimed, formerNameExists } from "../../model/catalogue/rules-names.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import {
  ITEM_LISTS,
  itemsOf,
  listIn,
  textIn,
  type ItemList,
  type Mapping,
} from "../manifest-view.js";
import { LIST_WORDS } from "../wording.js";
import { quoted } from "../../text/value-words.js";

interface FormerName {
  readonly name: string;
  readonly place: Place;
  /** True if it is also the present name of the item. */
  readonly isOwn: boolean;
}

/** Checks that no item has a name of `renamedFrom` now, and that each former name belongs to one item. */
export function checkFormerNames(manifest: LoadedManifest): Diagnostic[] {
  return ITEM_LISTS.flatMap((list) => {
    const items = itemsOf(manifest, list);
    const former = items.flatMap((item) => formerNames(manifest, item));
    if (former.length === 0) return [];
    const present = new Map(
      items.map(({ path, value }) => [
        textIn(value, "name"),
        manifest.locate([...path, "name"], "value"),
      ]),
    );
    const claimed = new Map<string, Place>();
    return former.flatMap((name) => problem(name, list, present.get(name.name), claimed));
  });
}

function formerNames(manifest: LoadedManifest, { path, value }: Mapping): FormerName[] {
  const here = [...path, "renamedFrom"];
  const single = textIn(value, "renamedFrom");
  const presentName = textIn(value, "name");
  if (single !== undefined) {
    return [{ name: single, place: manifest.locate(here, "value"), isOwn: single === presentName }];
  }
  return listIn(value, "renamedFrom").flatMap((name, index) => {
    if (typeof name !== "string") return [];
    return [
      { name, place: manifest.locate([...here, index], "value"), isOwn: name === presentName },
    ];
  });
}

function problem(
  { name, place, isOwn }: FormerName,
  list: ItemList,
  present: Place | undefined,
  claimed: Map<string, Place>,
): Diagnostic[] {
  const related = (first: Place) => [{ ...first, message: `${quoted(name)} is here` }];
  if (present !== undefined) {
    const parameters = {
      what: LIST_WORDS[list],
      name: quoted(name),
      first: present,
      isOwn,
    };
    return [formerNameExists(place, parameters, isOwn ? [] : related(present))];
  }
  const first = claimed.get(name);
  if (first === undefined) {
    claimed.set(name, place);
    return [];
  }
  const parameters = { name: quoted(name), first };
  return [formerNameClaimed(place, parameters, related(first))];
}
