import { quoted } from "../../text/value-words.js";
import { defineRule } from "../rule.js";

/** Rules about where upstreams and databases are. */

export const upstreamMoved = defineRule<{
  upstream: string;
  /** What has this location, if it is not the upstream itself: "the proxy". */
  role?: string;
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
  message: ({ upstream, role, before, after }) =>
    role === undefined
      ? `the upstream ${quoted(upstream)} was at ${before}, is at ${after}`
      : `${role} of the upstream ${quoted(upstream)} was ${before}, is ${after}`,
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
