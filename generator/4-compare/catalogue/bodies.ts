import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** What servers ask of others. */

export const upstreamMoved = defineRule<{
  upstream: string;
  /** What is there, where it is not the upstream itself. */
  part?: string;
  before: string;
  after: string;
}>({
  id: "upstream-moved",
  severity: "warning",
  title: "an upstream is somewhere else",
  explanation: {
    cause:
      "The base URL of an upstream has changed, its proxy, or where its tokens come from: what callers send, or the credentials of the server, go to another place.",
    example: {
      before: 'upstreams: {api: {baseUrl: "https://api.example"}}',
      after: 'upstreams: {api: {baseUrl: "https://api.other.example"}}',
    },
    fix: "Check that the new place is meant, and that it may have the credentials.",
  },
  message: ({ upstream, part, before, after }) =>
    part === undefined
      ? `the upstream ${quoted(upstream)} was at ${before}, is at ${after}`
      : `${part} of the upstream ${quoted(upstream)} was ${before}, is ${after}`,
});

export const upstreamOpened = defineRule<{ upstream: string }>({
  id: "upstream-opened",
  severity: "warning",
  title: "an upstream may be at a private address",
  explanation: {
    cause:
      "An upstream says `private: true`: the server connects to addresses of its own network, which the name of the upstream may be made to lead to.",
    example: {
      before: 'upstreams: {api: {baseUrl: "https://api.example"}}',
      after: 'upstreams: {api: {baseUrl: "https://api.example", private: true}}',
    },
    fix: "Check that the upstream is one of the server's own network.",
  },
  message: ({ upstream }) => `the upstream ${quoted(upstream)} may be at a private address now`,
});

export const remoteServerMoved = defineRule<{ upstream: string }>({
  id: "remote-server-moved",
  severity: "warning",
  title: "an upstream is another MCP server",
  explanation: {
    cause:
      "The URL or the program of an MCP server has changed, or what it runs with: the same calls may do something else.",
    example: {
      before: "upstreams: {files: {mcp: {command: [node, files.js]}}}",
      after: "upstreams: {files: {mcp: {command: [node, other.js]}}}",
    },
    fix: "Check that the new server is meant, and that it may have what callers send and its environment.",
  },
  message: ({ upstream }) => `the upstream ${quoted(upstream)} is another MCP server now`,
});

export const passedOtherwise = defineRule<{ what: string }>({
  id: "passed-otherwise",
  severity: "warning",
  title: "an item asks another MCP server for something else",
  explanation: {
    cause:
      "What a call is passed on to has changed, or what is passed: the same call may do something else.",
    example: {
      before:
        "upstreams: {files: {mcp: {command: [node, files.js]}}}\ntools: [{name: a, description: Does a., mcp: {upstream: files, name: b}}]",
      after:
        "upstreams: {files: {mcp: {command: [node, files.js]}}}\ntools: [{name: a, description: Does a., mcp: {upstream: files, name: c}}]",
    },
    fix: "Check that the description and the annotations of the item still say what it does.",
  },
  message: ({ what }) => `the ${what} of what is asked of another MCP server has changed`,
});

export const requestChanged = defineRule<{ what: string; before?: string; after?: string }>({
  id: "request-changed",
  severity: "warning",
  title: "an item sends another request",
  explanation: {
    cause:
      "The method, the path or the upstream of an item's request has changed, or what it sends: the same call may do something else.",
    example: {
      before:
        'upstreams: {api: {baseUrl: "https://api.example"}}\ntools: [{name: a, description: Does a., http: {upstream: api, path: /a}}]',
      after:
        'upstreams: {api: {baseUrl: "https://api.example"}}\ntools: [{name: a, description: Does a., http: {upstream: api, path: /a, method: DELETE}}]',
    },
    fix: "Check that the description and the annotations of the item still say what it does.",
  },
  message: ({ what, before, after }) =>
    before === undefined || after === undefined
      ? `the request has another ${what}`
      : `the ${what} of the request was ${before}, is ${after}`,
});

export const answeredOtherwise = defineRule<{ before: string; after: string }>({
  id: "answered-otherwise",
  severity: "info",
  title: "something else answers for an item",
  explanation: {
    cause: "What an item does was said in the manifest and is code now, or the other way round.",
    example: {
      before:
        'upstreams: {api: {baseUrl: "https://api.example"}}\ntools: [{name: a, description: Does a.}]',
      after:
        'upstreams: {api: {baseUrl: "https://api.example"}}\ntools: [{name: a, description: Does a., http: {upstream: api, path: /a}}]',
    },
    fix: "Nothing, if it is meant: `plan` says what becomes of the handler.",
  },
  message: ({ before, after }) => `${before} answered, and now ${after} does`,
});

export const databaseMoved = defineRule<{ database: string; before: string; after: string }>({
  id: "database-moved",
  severity: "warning",
  title: "a database is somewhere else",
  explanation: {
    cause: "The URL or the file of a database has changed: the same statements ask other data.",
    example: {
      before: "databases: {shop: {type: sqlite, file: shop.db}}",
      after: "databases: {shop: {type: sqlite, file: other.db}}",
    },
    fix: "Check that the new place is meant.",
  },
  message: ({ database, before, after }) =>
    `the database ${quoted(database)} was at ${before}, is at ${after}`,
});

export const statementChanged = defineRule<{ what: string }>({
  id: "statement-changed",
  severity: "warning",
  title: "a tool runs another statement",
  explanation: {
    cause:
      "The statement of a tool or its database has changed: the same call may answer something else.",
    example: {
      before:
        'databases: {shop: {type: sqlite, file: shop.db}}\ntools: [{name: a, description: Does a., sql: {database: shop, query: "select 1"}}]',
      after:
        'databases: {shop: {type: sqlite, file: shop.db}}\ntools: [{name: a, description: Does a., sql: {database: shop, query: "select 2"}}]',
    },
    fix: "Check that the description of the tool still says what it answers.",
  },
  message: ({ what }) => `the ${what} of the statement has changed`,
});

export const statementWrites = defineRule({
  id: "statement-writes",
  severity: "warning",
  title: "the statement of a tool may change something",
  explanation: {
    cause: "A statement ran where it could only read, and may write now.",
    example: {
      before:
        'databases: {shop: {type: sqlite, file: shop.db}}\ntools: [{name: a, description: Does a., sql: {database: shop, query: "select 1"}}]',
      after:
        'databases: {shop: {type: sqlite, file: shop.db}}\ntools: [{name: a, description: Does a., sql: {database: shop, query: "select 1", write: true}}]',
    },
    fix: "Check that the annotations of the tool say so, and that its callers expect it.",
  },
  message: () => "the statement could only read, and may change something now",
});

export const commandChanged = defineRule<{ what: string }>({
  id: "command-changed",
  severity: "warning",
  title: "a tool runs something else",
  explanation: {
    cause:
      "The command of a tool, or what its program runs with, has changed: the same call may do something else.",
    example: {
      before: "tools: [{name: a, description: Does a., exec: {command: [date]}}]",
      after: "tools: [{name: a, description: Does a., exec: {command: [uptime]}}]",
    },
    fix: "Check that the description and the annotations of the tool still say what it does.",
  },
  message: ({ what }) => `the ${what} of the program has changed`,
});

export const directoryMoved = defineRule({
  id: "directory-moved",
  severity: "warning",
  title: "a template serves another folder",
  explanation: {
    cause: "The folder of a directory has changed: the same URIs are other files.",
    example: {
      before:
        'resourceTemplates: [{name: a, uriTemplate: "a:///{+path}", description: Files., directory: {root: docs}}]',
      after:
        'resourceTemplates: [{name: a, uriTemplate: "a:///{+path}", description: Files., directory: {root: notes}}]',
    },
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
      before:
        'resourceTemplates: [{name: a, uriTemplate: "a:///{+path}", description: Files., directory: {root: docs}}]',
      after:
        'resourceTemplates: [{name: a, uriTemplate: "a:///{+path}", description: Files., directory: {root: docs, hidden: true}}]',
    },
    fix: "Check that no hidden file of the folder holds keys or passwords.",
  },
  message: () => "hidden files of the directory can be read now",
});
