import type { BodyCase, BodyContract } from "../../../../templates/runtime/suite/items/bodies.js";
import type { JsonObject } from "../../../model/json.js";
import { itemsOf } from "../../../model/items.js";
import type { ItemModel, ServerModel } from "../../../model/server-model.js";
import { asksUpstream, hasBody } from "../../bodies/body-items.js";
import { itemSettings } from "../server-contract.js";
import { stubAnswer } from "../tool-contracts.js";
import { testCaller } from "./test-caller.js";
import { exampleOutcome } from "./example-outcome.js";
import { httpCases } from "./http-cases.js";

/** The items that tests call with a simulated upstream: items with an `http` body or with its answers in examples. */
export function upstreamItems(model: ServerModel): readonly ItemModel[] {
  if (model.upstreams === undefined || model.upstreams.length === 0) return [];
  return itemsOf(model).filter(asksUpstream);
}

/** The contract of an item that sends requests to an upstream. */
export function upstreamContract(item: ItemModel, model: ServerModel): BodyContract {
  const { behaviour } = item;
  const caller = testCaller(model, behaviour.kind === "http" ? behaviour : undefined);
  return {
    kind: item.kind === "tool" ? "tools" : "resources",
    name: item.name,
    ...itemSettings(item),
    ...(caller !== undefined && { caller }),
    ...(!hasBody(item) && { stub: stubAnswer(item) }),
    cases: behaviour.kind === "http" ? httpCases(item, behaviour, model) : exampleCases(item),
  };
}

/** The cases of a handler. Its examples give the upstream's answer and the result, but not the request. */
function exampleCases(item: ItemModel): BodyCase[] {
  if (item.kind !== "tool") return [];
  return item.examples.flatMap((example) => {
    const { http, arguments: values } = example;
    if (http === undefined) return [];
    const call = { name: example.name, parameters: { arguments: values as JsonObject } };
    return [{ ...call, ...exampleOutcome(item, example, http) }];
  });
}
