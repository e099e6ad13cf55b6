import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about the arguments and messages of prompts. */

interface Argument {
  readonly name: string;
}

export const promptArgumentRemoved = defineRule<Argument>({
  id: "prompt-argument-removed",
  severity: "breaking",
  message: ({ name }) => `the argument ${quoted(name)} is not accepted any more`,
});

export const promptArgumentNewlyRequired = defineRule<Argument>({
  id: "prompt-argument-newly-required",
  severity: "breaking",
  message: ({ name }) => `callers must give the argument ${quoted(name)} now`,
});

export const promptArgumentNoLongerRequired = defineRule<Argument>({
  id: "prompt-argument-no-longer-required",
  severity: "info",
  message: ({ name }) => `the argument ${quoted(name)} may be left out now`,
});

export const promptArgumentAdded = defineRule<Argument>({
  id: "prompt-argument-added",
  severity: "info",
  message: ({ name }) => `callers may give the argument ${quoted(name)} now`,
});

export const promptMessagesChanged = defineRule({
  id: "prompt-messages-changed",
  severity: "warning",
  message: () => "the messages changed",
});
