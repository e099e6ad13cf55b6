import { quoted } from "../../text/value-words.js";
import { defineRule } from "../../model/semantic-rule.js";

/** Rules about where upstreams and databases are. */

export const upstreamMoved = defineRule<{
  upstream: string;
  /** The part of the upstream that has this location, if it is not the upstream itself: "the proxy". */
  role?: string;
  before: string;
  after: string;
}>({
  id: "upstream-moved",
  severity: "warning",
  message: ({ upstream, role, before, after }) =>
    role === undefined
      ? `the upstream ${quoted(upstream)} was at ${before}, is at ${after}`
      : `${role} of the upstream ${quoted(upstream)} was ${before}, is ${after}`,
});

export const upstreamOpened = defineRule<{ upstream: string }>({
  id: "upstream-opened",
  severity: "warning",
  message: ({ upstream }) => `the upstream ${quoted(upstream)} may be at a private address now`,
});

export const remoteServerMoved = defineRule<{ upstream: string }>({
  id: "remote-server-moved",
  severity: "warning",
  message: ({ upstream }) => `the upstream ${quoted(upstream)} is another MCP server now`,
});

export const databaseMoved = defineRule<{ database: string; before: string; after: string }>({
  id: "database-moved",
  severity: "warning",
  message: ({ database, before, after }) =>
    `the database ${quoted(database)} was at ${before}, is at ${after}`,
});

export const askedForCallers = defineRule<{ upstream: string }>({
  id: "asked-for-callers",
  severity: "breaking",
  message: ({ upstream }) =>
    `the upstream ${quoted(upstream)} is asked in the name of the caller now, who needs a token`,
});

export const askedForItself = defineRule<{ upstream: string }>({
  id: "asked-for-itself",
  severity: "warning",
  message: ({ upstream }) =>
    `the upstream ${quoted(upstream)} is not asked in the name of the caller any more`,
});
