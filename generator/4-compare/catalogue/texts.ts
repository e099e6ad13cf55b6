import { textChange } from "../wording.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about texts that people and models read. */

export interface TextChange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export const titleChanged = defineRule<TextChange>({
  id: "title-changed",
  severity: "warning",
  message: ({ before, after }) => textChange("title", before, after),
});

export const descriptionChanged = defineRule<TextChange>({
  id: "description-changed",
  severity: "warning",
  message: ({ before, after }) => textChange("description", before, after),
});

export const instructionsChanged = defineRule<TextChange>({
  id: "instructions-changed",
  severity: "warning",
  message: ({ before, after }) => textChange("instructions", before, after),
});
