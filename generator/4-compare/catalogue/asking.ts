import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about the questions that items ask users, and about their consent. */

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

export const consentAdded = defineRule({
  id: "consent-added",
  severity: "warning",
  message: () => "runs only if the user agrees now, and fails where the client cannot ask",
});

export const consentRemoved = defineRule({
  id: "consent-removed",
  severity: "warning",
  message: () => "runs without asking the user now",
});

export const consentChanged = defineRule({
  id: "consent-changed",
  severity: "info",
  message: () => "asks the user for consent in other words",
});
