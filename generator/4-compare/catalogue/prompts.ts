import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about the arguments and messages of prompts. */

interface Argument {
  readonly name: string;
}

const WITHOUT = "prompts: [{name: trip, description: Plan a trip.}]";
const OPTIONAL = "prompts: [{name: trip, description: Plan a trip., arguments: [{name: city}]}]";
const REQUIRED =
  "prompts: [{name: trip, description: Plan a trip., arguments: [{name: city, required: true}]}]";

export const promptArgumentRemoved = defineRule<Argument>({
  id: "prompt-argument-removed",
  severity: "breaking",
  title: "a prompt's argument is gone",
  explanation: {
    cause: "The server refuses arguments that a prompt does not declare.",
    example: { before: OPTIONAL, after: WITHOUT },
    fix: "Keep the argument, or release a new major version.",
  },
  message: ({ name }) => `the argument ${quoted(name)} is not accepted any more`,
});

export const promptArgumentNewlyRequired = defineRule<Argument>({
  id: "prompt-argument-newly-required",
  severity: "breaking",
  title: "a prompt needs an argument that it did not need",
  explanation: {
    cause: "Whoever gets the prompt without the argument, as was possible, gets an error.",
    example: { before: OPTIONAL, after: REQUIRED },
    fix: "Leave it optional and handle its absence, or release a new major version.",
  },
  message: ({ name }) => `callers must give the argument ${quoted(name)} now`,
});

export const promptArgumentNoLongerRequired = defineRule<Argument>({
  id: "prompt-argument-no-longer-required",
  severity: "info",
  title: "a prompt's argument may be left out now",
  explanation: {
    cause: "An argument was required and is no longer.",
    example: { before: REQUIRED, after: OPTIONAL },
    fix: "Nothing.",
  },
  message: ({ name }) => `the argument ${quoted(name)} may be left out now`,
});

export const promptArgumentAdded = defineRule<Argument>({
  id: "prompt-argument-added",
  severity: "info",
  title: "a prompt takes one more argument",
  explanation: {
    cause: "A prompt has an optional argument that it did not have before.",
    example: { before: WITHOUT, after: OPTIONAL },
    fix: "Nothing.",
  },
  message: ({ name }) => `callers may give the argument ${quoted(name)} now`,
});

export const promptMessagesChanged = defineRule({
  id: "prompt-messages-changed",
  severity: "warning",
  title: "a prompt's messages changed",
  explanation: {
    cause: "The messages of the prompt stand in the manifest, and models answer them.",
    example: {
      before:
        "prompts: [{name: trip, description: Plan a trip., messages: [{role: user, content: {type: text, text: Plan a trip.}}]}]",
      after:
        "prompts: [{name: trip, description: Plan a trip., messages: [{role: user, content: {type: text, text: Plan a short trip.}}]}]",
    },
    fix: "Try it with the models that matter to you.",
  },
  message: () => "the messages changed",
});
