import type { JsonValue } from "../../../model/json.js";
import type { ServerModel, ToolModel } from "../../../model/server-model.js";
import { schemaInstances } from "../schema-instances.js";

/** An answer that breaks the output schema of a tool, and the beginning of what the caller then reads. */
export interface UnfitAnswer {
  readonly name: string;
  readonly answer: JsonValue;
  readonly error: string;
}

/**
 * An answer that breaks the output schema of a tool which passes on what another service answers; none if the tool has
 * no such schema, or no value that breaks it could be generated.
 *
 * @param isAnswer true for the values that the service can answer
 */
export function unfitAnswers(
  tool: ToolModel,
  { strict }: { readonly strict?: true },
  model: ServerModel,
  isAnswer: (value: JsonValue) => boolean = () => true,
): UnfitAnswer[] {
  if (tool.output === undefined) return [];
  const { breaking } = schemaInstances(model, tool.output.wire);
  const broken = breaking.find(({ value }) => isAnswer(value));
  if (broken === undefined) return [];
  const error =
    strict === true
      ? `Tool ${tool.name} returned a result that breaks its output schema`
      : "The call was carried out and needs no repetition.";
  return [{ name: "an answer that breaks the output schema", answer: broken.value, error }];
}
