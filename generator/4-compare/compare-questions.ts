import { canonicalText } from "../schema/values.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import {
  consentAdded,
  consentChanged,
  consentRemoved,
  questionAdded,
  questionChanged,
  questionRemoved,
} from "./catalogue/asking.js";
import { mappingOf, placeIn, type ItemPair } from "./manifest-items.js";

/** The changes of the question whether a tool may run. */
export function compareConsent({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [before, after].map(({ value }) => ownValue(value, "confirm"));
  if (was === is) return [];
  const place = placeIn(after, "confirm");
  if (is === undefined) return [consentRemoved(place, {})];
  return [(was === undefined ? consentAdded : consentChanged)(place, {})];
}

/** The changes of an item's questions, if the item asked users before and still asks them. */
export function compareQuestions({ before, after }: ItemPair): SemanticChange[] {
  const former = mappingOf(before.value, "elicitations");
  const present = mappingOf(after.value, "elicitations");
  const [was, is] = [Object.keys(former), Object.keys(present)];
  if (was.length === 0 || is.length === 0) return [];
  const added = is.filter((key) => !Object.hasOwn(former, key));
  const removed = was.filter((key) => !Object.hasOwn(present, key));
  const changed = is.filter((key) => {
    const [question, other] = [ownValue(former, key), ownValue(present, key)];
    if (question === undefined || other === undefined) return false;
    return canonicalText(question) !== canonicalText(other);
  });
  return [
    ...added.map((key) => questionAdded(placeIn(after, "elicitations", key), { key })),
    ...changed.map((key) => questionChanged(placeIn(after, "elicitations", key), { key })),
    ...removed.map((key) => questionRemoved(placeIn(after, "elicitations"), { key })),
  ];
}
