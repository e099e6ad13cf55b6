import { defineRule } from "../rule.js";

/** Rules about what the bodies of items send, run and read. */

const UPSTREAM = 'upstreams: {api: {baseUrl: "https://api.example"}}';
const REMOTE = "upstreams: {files: {mcp: {command: [node, files.js]}}}";
const DATABASE = "databases: {shop: {type: sqlite, file: shop.db}}";

const tool = (body = ""): string => `tools: [{name: a, description: Does a.${body}}]`;
const remoteTool = (name: string): string =>
  `${REMOTE}\n${tool(`, mcp: {upstream: files, name: ${name}}`)}`;
const requestTool = (more = ""): string =>
  `${UPSTREAM}\n${tool(`, http: {upstream: api, path: /a${more}}`)}`;
const statementTool = (statement: string): string =>
  `${DATABASE}\n${tool(`, sql: {database: shop, ${statement}}`)}`;
const directoryTemplate = (directory: string): string =>
  `resourceTemplates: [{name: a, uriTemplate: "a:///{+path}", description: Files., directory: {${directory}}}]`;

export const passedOtherwise = defineRule<{ key: string }>({
  id: "passed-otherwise",
  severity: "warning",
  title: "an item asks another MCP server for something else",
  explanation: {
    cause:
      "What a call is passed on to has changed, or what is passed: the same call may do something else.",
    example: { before: remoteTool("b"), after: remoteTool("c") },
    fix: "Check that the description and the annotations of the item still say what it does.",
  },
  message: ({ key }) => `the ${key} of what is asked of another MCP server has changed`,
});

export const requestChanged = defineRule<{ content: string; before?: string; after?: string }>({
  id: "request-changed",
  severity: "warning",
  title: "an item sends another request",
  explanation: {
    cause:
      "The method, the path or the upstream of an item's request has changed, or what it sends: the same call may do something else.",
    example: { before: requestTool(), after: requestTool(", method: DELETE") },
    fix: "Check that the description and the annotations of the item still say what it does.",
  },
  message: ({ content, before, after }) =>
    before === undefined || after === undefined
      ? `the request has another ${content}`
      : `the ${content} of the request was ${before}, is ${after}`,
});

export const misfitsHandledOtherwise = defineRule<{ isRefused: boolean }>({
  id: "misfits-handled-otherwise",
  severity: "warning",
  title: "answers that break the output schema are handled otherwise",
  explanation: {
    cause:
      "`strict` of a body, an upstream or a database has changed. With it, an answer that breaks the tool's outputSchema is an error without the answer; without it, the model gets the whole answer as text with a notice.",
    example: {
      before: requestTool("}, outputSchema: {type: object"),
      after: requestTool(", strict: true}, outputSchema: {type: object"),
    },
    fix: "Check that it is meant: a caller may miss answers, or see what the outputSchema kept back.",
  },
  message: ({ isRefused }) =>
    isRefused
      ? "answers that break the outputSchema came as text, and are refused now"
      : "answers that break the outputSchema were refused, and come as text now",
});

export const answeredOtherwise = defineRule<{ before: string; after: string }>({
  id: "answered-otherwise",
  severity: "info",
  title: "something else answers for an item",
  explanation: {
    cause: "What an item does was said in the manifest and is code now, or the other way round.",
    example: { before: `${UPSTREAM}\n${tool()}`, after: requestTool() },
    fix: "Nothing, if it is meant: `plan` says what becomes of the handler.",
  },
  message: ({ before, after }) => `${before} answered, and now ${after} does`,
});

export const selectionChanged = defineRule<{ key: string }>({
  id: "selection-changed",
  severity: "info",
  title: "a tool's result is made of another part of the answer",
  explanation: {
    cause:
      "What a body picks or selects from the answer has changed: the same call may answer something else, in the same schema.",
    example: {
      before: statementTool('query: "select 1", select: "[0]"'),
      after: statementTool('query: "select 1", select: "[1]"'),
    },
    fix: "Check that the description of the tool still says what it answers.",
  },
  message: ({ key }) => `${key} of the result has changed`,
});

export const statementChanged = defineRule<{ key: string }>({
  id: "statement-changed",
  severity: "warning",
  title: "a tool runs another statement",
  explanation: {
    cause:
      "The statement of a tool or its database has changed: the same call may answer something else.",
    example: {
      before: statementTool('query: "select 1"'),
      after: statementTool('query: "select 2"'),
    },
    fix: "Check that the description of the tool still says what it answers.",
  },
  message: ({ key }) => `the ${key} of the statement has changed`,
});

export const statementWrites = defineRule({
  id: "statement-writes",
  severity: "warning",
  title: "the statement of a tool may change something",
  explanation: {
    cause: "A statement ran where it could only read, and may write now.",
    example: {
      before: statementTool('query: "select 1"'),
      after: statementTool('query: "select 1", write: true'),
    },
    fix: "Check that the annotations of the tool say so, and that its callers expect it.",
  },
  message: () => "the statement could only read, and may change something now",
});

export const commandChanged = defineRule<{ key: string }>({
  id: "command-changed",
  severity: "warning",
  title: "a tool runs something else",
  explanation: {
    cause:
      "The command of a tool, or what its program runs with, has changed: the same call may do something else.",
    example: {
      before: tool(", exec: {command: [date]}"),
      after: tool(", exec: {command: [uptime]}"),
    },
    fix: "Check that the description and the annotations of the tool still say what it does.",
  },
  message: ({ key }) => `the ${key} of the program has changed`,
});

const trustingTool = (trusted: string): string =>
  tool(
    `, inputSchema: {type: object, properties: {x: {type: string}}, required: [x]}, exec: {command: [report, "{{x}}"]${trusted}}`,
  );

export const argumentTrusted = defineRule<{ name: string }>({
  id: "argument-trusted",
  severity: "warning",
  title: "a program gets an argument unchecked",
  explanation: {
    cause:
      "An argument is newly listed under `trusted`: whoever may call the tool may make its program do all that it can do with any value of this argument, such as options.",
    example: { before: trustingTool(""), after: trustingTool(", trusted: [x]") },
    fix: "Check who may call the tool, and what its program does with options and other unusual values. An `enum` or a `pattern` makes the trust unnecessary.",
  },
  message: ({ name }) => `the program gets the argument ${name} unchecked: it is trusted`,
});

export const argumentNotTrusted = defineRule<{ name: string }>({
  id: "argument-not-trusted",
  severity: "info",
  title: "an argument of a program is checked again",
  explanation: {
    cause:
      "An argument is no longer listed under `trusted`: its place in the command and its schema are checked.",
    example: { before: trustingTool(", trusted: [x]"), after: trustingTool("") },
    fix: "Nothing: what the schema refuses now is reported for itself.",
  },
  message: ({ name }) => `the argument ${name} is not trusted any more`,
});

export const directoryMoved = defineRule({
  id: "directory-moved",
  severity: "warning",
  title: "a template serves another folder",
  explanation: {
    cause: "The folder of a directory has changed: the same URIs are other files.",
    example: { before: directoryTemplate("root: docs"), after: directoryTemplate("root: notes") },
    fix: "Check that all files of the new folder are meant for clients.",
  },
  message: () => "the directory is another folder",
});

export const directoryOpened = defineRule({
  id: "directory-opened",
  severity: "warning",
  title: "hidden files of a directory can be read",
  explanation: {
    cause:
      "Files and folders whose names begin with a dot were not there for clients, and are now.",
    example: {
      before: directoryTemplate("root: docs"),
      after: directoryTemplate("root: docs, hidden: true"),
    },
    fix: "Check that no hidden file of the folder holds keys or passwords.",
  },
  message: () => "hidden files of the directory can be read now",
});
