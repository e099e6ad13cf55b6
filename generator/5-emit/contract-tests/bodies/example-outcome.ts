import type { BodyCase } from "../../../../templates/runtime/suite/items/bodies.js";
import type { PlayedAnswer } from "../../../../templates/runtime/suite/clients/local-upstream.js";
import type { HttpAnswerModel } from "../../../model/bodies.js";
import type { ToolExample, ToolModel } from "../../../model/server-model.js";
import { exampleContract, exampleMatchers } from "../tool-contracts.js";

/** The upstream's answers in an example, and the result that the tool makes of them. */
export function exampleOutcome(
  tool: ToolModel,
  example: ToolExample,
  http: HttpAnswerModel,
): Pick<BodyCase, "answers" | "result" | "matches"> {
  const { answer } = exampleContract(tool, example);
  return {
    answers: [playedAnswer(http)],
    result: answer,
    ...exampleMatchers(tool, example),
  };
}

function playedAnswer({ status, headers, body, text }: HttpAnswerModel): PlayedAnswer {
  return {
    status,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
    ...(text !== undefined && { text }),
  };
}
