import { canonicalText } from "../schema/values.js";
import { isJsonObject, type JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import {
  promptArgumentAdded,
  promptArgumentNewlyRequired,
  promptArgumentNoLongerRequired,
  promptArgumentRemoved,
  promptMessagesChanged,
} from "./catalogue/prompts.js";
import { compareBodies, compareSource } from "./compare-bodies.js";
import { compareItems } from "./compare-items.js";
import { compareTexts } from "./compare-texts.js";
import { placeIn, textOf, type ItemPair, type ManifestItem } from "./manifest-items.js";
import { placeBelow } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";

/** The changes of prompts: arguments, messages and bodies, and what all items have. */
export function comparePrompts(before: JsonObject, after: JsonObject): SemanticChange[] {
  return compareItems(before, after, {
    list: "prompts",
    likeness: ["arguments"],
    compare: (pair) => [
      ...compareArguments(pair),
      ...compareMessages(pair),
      ...compareBodies(pair),
    ],
  });
}

interface Argument {
  readonly name: string;
  readonly value: JsonObject;
  readonly place: ChangePlace;
}

function argumentsOf(prompt: ManifestItem): Map<string, Argument> {
  const list = ownValue(prompt.value, "arguments");
  const declared = Array.isArray(list) ? list : [];
  return new Map(
    declared.flatMap((value, index) => {
      const name = isJsonObject(value) ? textOf(value, "name") : undefined;
      if (!isJsonObject(value) || name === undefined) return [];
      const { at } = placeIn(prompt, "arguments", index);
      const place = { at, name: placeIn(prompt, "arguments", name).name };
      return [[name, { name, value, place }] as const];
    }),
  );
}

function compareArguments({ before, after }: ItemPair): SemanticChange[] {
  const [former, present] = [argumentsOf(before), argumentsOf(after)];
  const removed = [...former.keys()].filter((name) => !present.has(name));
  return [
    ...[...present.values()].flatMap((argument) =>
      compareArgument(former.get(argument.name), argument),
    ),
    ...removed.map((name) => promptArgumentRemoved(placeIn(after, "arguments"), { name })),
  ];
}

function compareArgument(former: Argument | undefined, present: Argument): SemanticChange[] {
  const { name, place } = present;
  const isRequired = present.value["required"] === true;
  const wasRequired = former?.value["required"] === true;
  if (isRequired && !wasRequired) return [promptArgumentNewlyRequired(place, { name })];
  if (former === undefined) return [promptArgumentAdded(place, { name })];
  return [
    ...(wasRequired && !isRequired ? [promptArgumentNoLongerRequired(place, { name })] : []),
    ...compareTexts(former.value, present.value, place),
    ...compareSource(
      former.value["complete"],
      present.value["complete"],
      placeBelow(place, "complete"),
    ),
  ];
}

/** Compares messages only if both prompts have them. Whether code makes them does not concern callers. */
function compareMessages({ before, after }: ItemPair): SemanticChange[] {
  const [was, is] = [ownValue(before.value, "messages"), ownValue(after.value, "messages")];
  if (was === undefined || is === undefined) return [];
  return canonicalText(was) === canonicalText(is)
    ? []
    : [promptMessagesChanged(placeIn(after, "messages"), {})];
}
