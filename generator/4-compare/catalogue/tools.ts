import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about what only tools have. */

export const toolRenamedWithAlias = defineRule<{ from: string; to: string }>({
  id: "tool-renamed-with-alias",
  severity: "info",
  title: "a tool has a new name and answers to the old one",
  explanation: {
    cause: "A tool is listed under another name. Callers that know the old one can still use it.",
    example: {
      before: "tools: [{name: old, description: Daily forecast.}]",
      after: "tools: [{name: new, description: Daily forecast., renamedFrom: old, aliases: [old]}]",
    },
    fix: "Nothing. Drop the alias with a later major version.",
  },
  message: ({ from, to }) => `the tool ${quoted(from)} is now ${quoted(to)}; both names answer`,
});

export const toolAliasRemoved = defineRule<{ alias: string }>({
  id: "tool-alias-removed",
  severity: "breaking",
  title: "an old name of a tool stopped answering",
  explanation: {
    cause: "A name that was an alias of a tool is no longer one, and no tool has it.",
    example: {
      before: "tools: [{name: new, description: Daily forecast., aliases: [old]}]",
      after: "tools: [{name: new, description: Daily forecast.}]",
    },
    fix: "Keep the alias, or release a new major version.",
  },
  message: ({ alias }) => `nothing answers to the alias ${quoted(alias)} any more`,
});

export const toolAliasAdded = defineRule<{ alias: string }>({
  id: "tool-alias-added",
  severity: "info",
  title: "a tool answers to one more name",
  explanation: {
    cause: "A tool has an alias that it did not have before.",
    example: {
      before: "tools: [{name: new, description: Daily forecast.}]",
      after: "tools: [{name: new, description: Daily forecast., aliases: [old]}]",
    },
    fix: "Nothing.",
  },
  message: ({ alias }) => `the alias ${quoted(alias)} is new`,
});

export const annotationChanged = defineRule<{ hint: string; before: boolean; after: boolean }>({
  id: "annotation-changed",
  severity: "warning",
  title: "a tool's hint flipped",
  explanation: {
    cause:
      "An annotation of a tool says the contrary of what it said. Clients decide by it whether to ask the user before they call.",
    example: {
      before: "tools: [{name: a, description: Does a., annotations: {readOnlyHint: true}}]",
      after: "tools: [{name: a, description: Does a.}]",
    },
    fix: "Check that it is meant. A hint that is absent has the protocol's default: not read-only, destructive, not idempotent, open to the world.",
  },
  message: ({ hint, before, after }) => `${hint} was ${before}, is ${after}`,
});

export const outputSchemaRemoved = defineRule({
  id: "output-schema-removed",
  severity: "breaking",
  title: "a tool has no output schema any more",
  explanation: {
    cause:
      "A tool promised structured content and no longer does. Callers that read it cannot rely on it.",
    example: {
      before: "tools: [{name: a, description: Does a., outputSchema: {type: object}}]",
      after: "tools: [{name: a, description: Does a.}]",
    },
    fix: "Keep the schema, or release a new major version.",
  },
  message: () => "the tool no longer promises structured content",
});

export const outputSchemaAdded = defineRule({
  id: "output-schema-added",
  severity: "info",
  title: "a tool has an output schema now",
  explanation: {
    cause: "A tool promises structured content, which it did not before.",
    example: {
      before: "tools: [{name: a, description: Does a.}]",
      after: "tools: [{name: a, description: Does a., outputSchema: {type: object}}]",
    },
    fix: "Nothing.",
  },
  message: () => "the tool promises structured content now",
});

export const headerParameterAdded = defineRule<{ header: string }>({
  id: "header-parameter-added",
  severity: "breaking",
  title: "an argument must be repeated in a header",
  explanation: {
    cause:
      "Over HTTP, a call that gives the argument and not its header is refused, and clients that know the tool from before do not send one.",
    example: {
      before:
        "tools: [{name: a, description: Does a., inputSchema: {type: object, properties: {region: {type: string}}}}]",
      after:
        "tools: [{name: a, description: Does a., inputSchema: {type: object, properties: {region: {type: string, x-mcp-header: Region}}}}]",
    },
    fix: "Leave `x-mcp-header` out, or release a new major version.",
  },
  message: ({ header }) => `over HTTP, calls need the header Mcp-Param-${header} now`,
});

export const fixedAnswerChanged = defineRule({
  id: "fixed-answer-changed",
  severity: "warning",
  title: "a tool's fixed answer changed",
  explanation: {
    cause: "The answer of the tool stands in the manifest, and models read it.",
    example: {
      before: "tools: [{name: a, description: Does a., content: [{type: text, text: Closed.}]}]",
      after: "tools: [{name: a, description: Does a., content: [{type: text, text: Open.}]}]",
    },
    fix: "Try it with the models that matter to you.",
  },
  message: () => "the answer changed",
});
