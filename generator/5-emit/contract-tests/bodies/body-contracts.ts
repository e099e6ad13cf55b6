import type { BodyCase, BodyContract } from "../../../../templates/runtime/suite/items/bodies.js";
import type { JsonObject } from "../../../model/json.js";
import { itemsOf } from "../../../model/items.js";
import type { ServerModel } from "../../../model/server-model.js";
import { hasBody, isPlayed, type BodilyItem } from "../../bodies/body-items.js";
import { itemSettings } from "../server-contract.js";
import { stubAnswer } from "../tool-contracts.js";
import { playedExample } from "./examples.js";
import { httpCases } from "./http-cases.js";

/** The items whose upstream is played in tests: those with a body, and those whose examples say its answer. */
export function playedItems(model: ServerModel): readonly BodilyItem[] {
  if (model.upstreams === undefined || model.upstreams.length === 0) return [];
  return itemsOf(model).filter(isPlayed);
}

/** What is tested of an item that asks an upstream. */
export function bodyContract(item: BodilyItem, model: ServerModel): BodyContract {
  const { behaviour } = item;
  return {
    kind: item.kind === "tool" ? "tools" : "resources",
    name: item.name,
    ...itemSettings(item),
    ...(!hasBody(item) && { stub: stubAnswer(item) }),
    cases: behaviour.kind === "http" ? httpCases(item, behaviour, model) : playedExamples(item),
  };
}

/** Of a handler, the manifest knows what it makes of an answer, and not which request it sends. */
function playedExamples(item: BodilyItem): BodyCase[] {
  if (item.kind !== "tool") return [];
  return item.examples.flatMap((example) => {
    const { http, arguments: values } = example;
    if (http === undefined) return [];
    const played = { name: example.name, parameters: { arguments: values as JsonObject } };
    return [{ ...played, ...playedExample(item, example, http) }];
  });
}
