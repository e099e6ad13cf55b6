import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about the questions that items ask users. */

interface Question {
  readonly key: string;
}

export const questionAdded = defineRule<Question>({
  id: "question-added",
  severity: "info",
  message: ({ key }) => `users may be asked ${quoted(key)} too`,
});

export const questionRemoved = defineRule<Question>({
  id: "question-removed",
  severity: "info",
  message: ({ key }) => `users are not asked ${quoted(key)} any more`,
});

export const questionChanged = defineRule<Question>({
  id: "question-changed",
  severity: "info",
  message: ({ key }) => `users are asked ${quoted(key)} in another way`,
});
