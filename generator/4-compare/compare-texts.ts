import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { descriptionChanged, titleChanged, type TextChange } from "./catalogue/texts.js";
import { textOf } from "./manifest-items.js";
import { placeBelow } from "../model/change-places.js";
import type { ChangePlace, RuleMaker } from "../model/semantic-rule.js";

/** The changes of a `title` and a `description`, which people and models read. */
export function compareTexts(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
): SemanticChange[] {
  return [
    ...compareText(before, after, "title", titleChanged, place),
    ...compareText(before, after, "description", descriptionChanged, place),
  ];
}

/**
 * The change of the text under one key, if it changed.
 *
 * @param place where the object with the key is
 */
export function compareText(
  before: JsonObject,
  after: JsonObject,
  key: string,
  changed: RuleMaker<TextChange>,
  place: ChangePlace,
): SemanticChange[] {
  const texts = { before: textOf(before, key), after: textOf(after, key) };
  return texts.before === texts.after ? [] : [changed(placeBelow(place, key), texts)];
}
