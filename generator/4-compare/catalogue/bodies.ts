import { defineRule } from "../rule.js";

/** Rules about what the bodies of items send, run and read. */

export const passedOtherwise = defineRule<{ key: string }>({
  id: "passed-otherwise",
  severity: "warning",
  message: ({ key }) => `the ${key} of what is asked of another MCP server has changed`,
});

export const requestChanged = defineRule<{ content: string; before?: string; after?: string }>({
  id: "request-changed",
  severity: "warning",
  message: ({ content, before, after }) =>
    before === undefined || after === undefined
      ? `the request has another ${content}`
      : `the ${content} of the request was ${before}, is ${after}`,
});

export const callerNeeded = defineRule<{ name: string }>({
  id: "caller-needed",
  severity: "breaking",
  message: ({ name }) => `callers without ${name} are refused now`,
});

export const misfitsHandledOtherwise = defineRule<{ isRefused: boolean }>({
  id: "misfits-handled-otherwise",
  severity: "warning",
  message: ({ isRefused }) =>
    isRefused
      ? "answers that break the outputSchema came as text, and are refused now"
      : "answers that break the outputSchema were refused, and come as text now",
});

export const answeredOtherwise = defineRule<{ before: string; after: string }>({
  id: "answered-otherwise",
  severity: "info",
  message: ({ before, after }) => `${before} answered, and now ${after} does`,
});

export const selectionChanged = defineRule<{ key: string }>({
  id: "selection-changed",
  severity: "info",
  message: ({ key }) => `${key} of the result has changed`,
});

export const statementChanged = defineRule<{ key: string }>({
  id: "statement-changed",
  severity: "warning",
  message: ({ key }) =>
    key === "set"
      ? "the settings of the statement have changed"
      : `the ${key} of the statement has changed`,
});

export const statementWrites = defineRule({
  id: "statement-writes",
  severity: "warning",
  message: () => "the statement could only read, and may change something now",
});

export const commandChanged = defineRule<{ key: string }>({
  id: "command-changed",
  severity: "warning",
  message: ({ key }) => `the ${key} of the program has changed`,
});

export const argumentTrusted = defineRule<{ name: string }>({
  id: "argument-trusted",
  severity: "warning",
  message: ({ name }) => `the program gets the argument ${name} unchecked: it is trusted`,
});

export const argumentNotTrusted = defineRule<{ name: string }>({
  id: "argument-not-trusted",
  severity: "info",
  message: ({ name }) => `the argument ${name} is not trusted any more`,
});

export const directoryMoved = defineRule({
  id: "directory-moved",
  severity: "warning",
  message: () => "the directory is another folder",
});

export const directoryOpened = defineRule({
  id: "directory-opened",
  severity: "warning",
  message: () => "hidden files of the directory can be read now",
});
