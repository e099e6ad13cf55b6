import { textChange } from "../wording.js";
import { defineRule } from "../rule.js";

/** Rules about texts that people and models read. */

export interface TextChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export const titleChanged = defineRule<TextChange>({
  id: "title-changed",
  severity: "warning",
  title: "a title changed",
  explanation: {
    cause: "The name that people see has changed. Texts that speak of it may be out of date.",
    example: { before: "title: Weather", after: "title: Forecasts" },
    fix: "Check that it is meant.",
  },
  message: ({ before, after }) => textChange("title", before, after),
});

export const descriptionChanged = defineRule<TextChange>({
  id: "description-changed",
  severity: "warning",
  title: "a description changed",
  explanation: {
    cause:
      "Models read descriptions to decide what to call and with which arguments: a new text can change what they do as much as a new schema.",
    example: {
      before: "tools: [{name: a, description: Daily forecast.}]",
      after: "tools: [{name: a, description: Hourly forecast.}]",
    },
    fix: "Try it with the models that matter to you.",
  },
  message: ({ before, after }) => textChange("description", before, after),
});

export const instructionsChanged = defineRule<TextChange>({
  id: "instructions-changed",
  severity: "warning",
  title: "the server's instructions changed",
  explanation: {
    cause: "Clients give a server's instructions to the model, which acts on them.",
    example: { before: "instructions: Ask for a city first.", after: "instructions: Be brief." },
    fix: "Try it with the models that matter to you.",
  },
  message: ({ before, after }) => textChange("instructions", before, after),
});
