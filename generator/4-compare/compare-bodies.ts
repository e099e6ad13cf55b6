import { BODIES, bodyIn } from "../bodies/index.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { answeredOtherwise } from "./catalogue/bodies.js";
import { mappingOf, placeIn, type ItemPair } from "./manifest-items.js";
import { placeBelow } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";

type BodyKey = keyof typeof BODIES;

function bodyOf(item: JsonObject): BodyKey | undefined {
  return bodyIn(item)?.kind;
}

/** The changes of an item's body: of its kind, and of what it sends, runs or reads. */
export function compareBodies({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [bodyOf(before.value), bodyOf(after.value)];
  if (was !== is) return compareBodyKinds({ before, after }, was, is);
  if (was === undefined) return [];
  return compareSameKind(was, before.value, after.value, placeIn(after));
}

/**
 * The changes between two bodies of the same kind.
 *
 * @param place where the object is that has the body
 */
function compareSameKind(
  key: BodyKey,
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
): SemanticChange[] {
  const [former, present] = [mappingOf(before, key), mappingOf(after, key)];
  return BODIES[key].compare(former, present, placeBelow(place, key));
}

/**
 * The changes of a source, which completes an argument or lists the instances of a template.
 *
 * @param before a body, a list of values, or "code"
 */
export function compareSource(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: ChangePlace,
): SemanticChange[] {
  const [former, present] = [before, after].map((value) =>
    isJsonObject(value ?? null) ? (value as JsonObject) : {},
  ) as [JsonObject, JsonObject];
  const [was, is] = [bodyOf(former), bodyOf(present)];
  if (was !== is) {
    if (before === undefined || after === undefined) return [];
    const words = { before: sourceInWords(before, was), after: sourceInWords(after, is) };
    return [answeredOtherwise(place, words)];
  }
  return was === undefined ? [] : compareSameKind(was, former, present, place);
}

/** In words, what finds values. */
function sourceInWords(source: JsonValue, key: BodyKey | undefined): string {
  if (key !== undefined) return BODIES[key].words;
  return source === "code" ? "code" : "a list of the manifest";
}

/** The keys of tools and prompts under which the manifest states their answers. */
const FIXED_ANSWERS = ["content", "structuredContent", "messages"];

/** The keys of resources under which the manifest states their contents. */
const FIXED_CONTENTS = ["text", "blob", "file"];

/** Reports that the kind of body changed. Fixed answers of tools and prompts have rules of their own. */
function compareBodyKinds(
  { before, after }: ItemPair,
  was: BodyKey | undefined,
  is: BodyKey | undefined,
): SemanticChange[] {
  const isFixed = [before, after].some(({ value }) => FIXED_ANSWERS.some((key) => key in value));
  if (isFixed) return [];
  const parameters = { before: answererOf(before.value, was), after: answererOf(after.value, is) };
  return [answeredOtherwise(placeIn(after, is ?? "name"), parameters)];
}

/** Says what answers for an item: its body, its fixed content, or a handler. */
function answererOf(item: JsonObject, key: BodyKey | undefined): string {
  if (key !== undefined) return BODIES[key].words;
  return FIXED_CONTENTS.some((content) => content in item) ? "fixed content" : "a handler";
}
