import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { descriptionChanged, titleChanged, type TextChange } from "./catalogue/texts.js";
import { textOf } from "./manifest-items.js";
import type { ChangePlace, RuleMaker } from "./rule.js";

/** Changes of what people and models read about something: its `title` and `description`. */
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

/** The change of one text, if it changed. */
export function compareText(
  before: JsonObject,
  after: JsonObject,
  name: string,
  changed: RuleMaker<TextChange>,
  { at, name: path }: ChangePlace,
): SemanticChange[] {
  const texts = { before: textOf(before, name), after: textOf(after, name) };
  if (texts.before === texts.after) return [];
  return [changed({ at: [...at, name], name: [...path, name] }, texts)];
}
