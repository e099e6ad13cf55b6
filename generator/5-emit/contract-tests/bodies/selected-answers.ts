import type { SelectModel } from "../../../model/bodies.js";
import type { JsonValue } from "../../../model/json.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { accepts } from "../../../schema/interpret.js";
import { madeAnswer } from "../../../selection/made-answer.js";
import { selectedValue } from "../../../selection/selected-value.js";
import { schemaMock } from "../schema-instances.js";

/** An answer of a service, and the result that a tool makes of it. */
export interface AnswerAndResult {
  readonly answer: JsonValue;
  readonly result: JsonValue;
}

/** An answer that has what a tool selects, and what it selects; undefined if no such answer could be made. */
export function selectedAnswer(
  { output }: ToolModel,
  { selection, answer: schema }: SelectModel,
  model: ServerModel,
): AnswerAndResult | undefined {
  const answer = schema === undefined ? madeAnswer(selection) : schemaMock(model, schema);
  if (answer === undefined || output === undefined) return undefined;
  try {
    const result = selectedValue(selection, answer) as JsonValue;
    return accepts(output.wire, result) ? { answer, result } : undefined;
  } catch {
    return undefined;
  }
}
