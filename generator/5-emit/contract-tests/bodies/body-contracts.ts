import type { BodyCase, BodyContract } from "../../../../templates/runtime/suite/items/bodies.js";
import type { JsonObject } from "../../../model/json.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { hasBody, isPlayed } from "../../bodies/body-code.js";
import { itemSettings } from "../server-contract.js";
import { stubAnswer } from "../tool-contracts.js";
import { playedExample } from "./examples.js";
import { httpCases } from "./http-cases.js";

/** The tools whose upstream is played in tests: those with a body, and those whose examples say its answer. */
export function playedTools({ tools, upstreams = [] }: ServerModel): readonly ToolModel[] {
  if (upstreams.length === 0) return [];
  return tools.filter(isPlayed);
}

/** What is tested of a tool that asks an upstream. */
export function bodyContract(tool: ToolModel, model: ServerModel): BodyContract {
  const { behaviour } = tool;
  const cases =
    behaviour.kind === "http" ? httpCases(tool, behaviour, model) : playedExamples(tool);
  return {
    tool: tool.name,
    ...itemSettings(tool),
    ...(!hasBody(tool) && { stub: stubAnswer(tool) }),
    cases,
  };
}

/** Of a handler, the manifest knows what it makes of an answer, and not which request it sends. */
function playedExamples(tool: ToolModel): BodyCase[] {
  return tool.examples.flatMap((example) => {
    const { http, arguments: values } = example;
    if (http === undefined) return [];
    const played = { name: example.name, arguments: values as JsonObject };
    return [{ ...played, ...playedExample(tool, example, http) }];
  });
}
