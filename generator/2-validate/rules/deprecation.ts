import { compare, parse } from "semver";
import {
  deprecationOrder,
  deprecationOver,
  unknownReplacement,
} from "../../model/catalogue/rules-deprecation.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { nearestName } from "../../text/nearest-name.js";
import { quoted } from "../../text/value-words.js";
import {
  has,
  ITEM_LISTS,
  itemsOf,
  mappingIn,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";
import { LIST_WORDS } from "../wording.js";

/** Checks what is announced of deprecated items: what replaces them, and with which version they go. */
export function checkDeprecations(manifest: LoadedManifest): Diagnostic[] {
  return ITEM_LISTS.flatMap((list) => {
    const items = itemsOf(manifest, list);
    return items.flatMap((item) => {
      const deprecated = mappingIn(item, "deprecated");
      if (deprecated === undefined) return [];
      return [
        ...replacementProblems(manifest, deprecated, item, items, LIST_WORDS[list]),
        ...versionProblems(manifest, deprecated),
      ];
    });
  });
}

function replacementProblems(
  manifest: LoadedManifest,
  deprecated: Mapping,
  item: Mapping,
  items: readonly Mapping[],
  words: string,
): Diagnostic[] {
  const use = textIn(deprecated.value, "use");
  if (use === undefined) return [];
  const at = manifest.locate([...deprecated.path, "use"], "value");
  const found = items.find(({ value }) => textIn(value, "name") === use);
  if (found === undefined) {
    const names = items.filter((other) => other !== item).map(({ value }) => textIn(value, "name"));
    const nearest = nearestName(
      use,
      names.filter((name) => name !== undefined),
    );
    const problem = `${quoted(use)} is none of the ${words}`;
    return [unknownReplacement(at, { problem, ...(nearest !== undefined && { nearest }) })];
  }
  if (found === item) {
    return [unknownReplacement(at, { problem: "the item would replace itself" })];
  }
  if (!has(found.value, "deprecated")) return [];
  return [unknownReplacement(at, { problem: `${quoted(use)} is deprecated, too` })];
}

function versionProblems(manifest: LoadedManifest, { path, value }: Mapping): Diagnostic[] {
  const [since, until] = ["since", "until"].map((key) => textIn(value, key));
  const version = textIn(rootOf(manifest).value, "version");
  if (until === undefined || parse(until) === null) return [];
  const at = manifest.locate([...path, "until"], "value");
  if (since !== undefined && parse(since) !== null && compare(until, since) <= 0) {
    return [deprecationOrder(at, { since, until })];
  }
  if (version === undefined || parse(version) === null || compare(version, until) < 0) return [];
  return [deprecationOver(at, { version, until })];
}
