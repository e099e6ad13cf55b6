import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about the questions that items ask users. */

const TOOL = "name: deploy, description: Deploys a version.";
const form = (fields: string): string => `requestedSchema: {type: object, properties: {${fields}}}`;
const asking = (questions: string): string => `tools: [{${TOOL}, elicitations: {${questions}}}]`;
const CONFIRM = `confirm: {message: Sure?, ${form("ok: {type: boolean}")}}`;
const REASON = `reason: {message: Why?, ${form("text: {type: string}")}}`;

interface Question {
  readonly key: string;
}

export const questionAdded = defineRule<Question>({
  id: "question-added",
  severity: "info",
  title: "users may be asked something more",
  explanation: {
    cause: "An item that asked users already may ask them another question.",
    example: { before: asking(CONFIRM), after: asking(`${CONFIRM}, ${REASON}`) },
    fix: "Nothing.",
  },
  message: ({ key }) => `users may be asked ${quoted(key)} too`,
});

export const questionRemoved = defineRule<Question>({
  id: "question-removed",
  severity: "info",
  title: "users are asked something less",
  explanation: {
    cause: "One of several questions of an item is gone.",
    example: { before: asking(`${CONFIRM}, ${REASON}`), after: asking(CONFIRM) },
    fix: "Nothing. Answers that are under way to the question are lost.",
  },
  message: ({ key }) => `users are not asked ${quoted(key)} any more`,
});

export const questionChanged = defineRule<Question>({
  id: "question-changed",
  severity: "info",
  title: "users are asked in another way",
  explanation: {
    cause: "The message, form or page of a question is another.",
    example: {
      before: asking(CONFIRM),
      after: asking(CONFIRM.replace("Sure?", "Are you sure?")),
    },
    fix: "Nothing. Answers that are under way to the former question are asked for again.",
  },
  message: ({ key }) => `users are asked ${quoted(key)} in another way`,
});
