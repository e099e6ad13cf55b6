import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about what only tools have. */

export const toolRenamedWithAlias = defineRule<{ from: string; to: string }>({
  id: "tool-renamed-with-alias",
  severity: "info",
  message: ({ from, to }) => `the tool ${quoted(from)} is now ${quoted(to)}; both names answer`,
});

export const toolAliasRemoved = defineRule<{ alias: string }>({
  id: "tool-alias-removed",
  severity: "breaking",
  message: ({ alias }) => `nothing answers to the alias ${quoted(alias)} any more`,
});

export const toolAliasAdded = defineRule<{ alias: string }>({
  id: "tool-alias-added",
  severity: "info",
  message: ({ alias }) => `the alias ${quoted(alias)} is new`,
});

export const annotationChanged = defineRule<{ hint: string; before: boolean; after: boolean }>({
  id: "annotation-changed",
  severity: "warning",
  message: ({ hint, before, after }) => `${hint} was ${before}, is ${after}`,
});

export const outputSchemaRemoved = defineRule({
  id: "output-schema-removed",
  severity: "breaking",
  message: () => "the tool no longer promises structured content",
});

export const outputSchemaAdded = defineRule({
  id: "output-schema-added",
  severity: "info",
  message: () => "the tool promises structured content now",
});

export const headerParameterAdded = defineRule<{ header: string }>({
  id: "header-parameter-added",
  severity: "breaking",
  message: ({ header }) => `over HTTP, calls need the header Mcp-Param-${header} now`,
});

export const fixedAnswerChanged = defineRule({
  id: "fixed-answer-changed",
  severity: "warning",
  message: () => "the answer changed",
});

export const resultTextChanged = defineRule<{ before: string; after: string }>({
  id: "result-text-changed",
  severity: "warning",
  message: ({ before, after }) => `the text beside structured results was ${before}, is ${after}`,
});
