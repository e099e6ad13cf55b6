import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../../text/package-root.js";
import type { Authentication } from "../../../../../templates/runtime/authentication/authentication.js";
import {
  createFilteredList,
  isHidden,
} from "../../../../../templates/runtime/authentication/filtered-lists.js";
import type { ItemLists } from "../../../../../templates/runtime/engine/item.js";
import type { ServerDefinition } from "../../../../../templates/runtime/engine/definition.js";
import { http } from "../../../../../templates/runtime/http.js";
import { createMetrics } from "../../../../../templates/runtime/observe/metrics.js";
import {
  askingParts,
  sampleAsks,
  type AskingContext,
} from "../../../../../templates/runtime/samples/asking.js";
import { changingParts } from "../../../../../templates/runtime/samples/parts.js";
import { erased, sampleServer, tool } from "../../../../../templates/runtime/samples/server.js";
import { createSearchedTools } from "../../../../../templates/runtime/search/search.js";
import { resourceTools } from "../../../../../templates/runtime/resource-tools.js";
import { restrict } from "../../../../../templates/runtime/restrict.js";
import { start } from "../../../../../templates/runtime/start/start.js";
import { sse } from "../../../../../templates/runtime/sse.js";
import { stdio } from "../../../../../templates/runtime/stdio.js";
import { exactNumbers } from "../../../../../templates/runtime/tools/exact-numbers.js";
import { webSocket } from "../../../../../templates/runtime/websocket.js";

/**
 * A program that serves, on every transport, a server with items of every kind of which some need a scope. The
 * environment variable `SERVED_AS` names what the sample server gets in addition.
 */

const scopes = ["admin"];

const kind = process.env["SERVED_AS"] ?? "plain";

/** Whether the server tells of changes. Of others, nobody can subscribe to a resource. */
const subscribe = ["filtered", "asking", "grouped"].includes(kind);

const asking = tool(
  "asking",
  erased(async (_input: unknown, ctx) => {
    const { name } = await (ctx as AskingContext).elicit.name();
    return `Hello, ${name}!`;
  }),
);

const told = erased(() => "told");

const items: Partial<ServerDefinition> = {
  tools: [
    ...sampleServer.tools.filter(({ definition: { name } }) => name !== "derail"),
    tool("secret", told, { scopes, aliases: ["secret_alias"] }),
    tool("secret_region", told, {
      scopes,
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
    }),
  ],
  resources: [
    ...sampleServer.resources.map((entry) => ({ ...entry, subscribe })),
    { definition: { uri: "sample://secret", name: "secret" }, text: "s", subscribe, scopes },
  ],
  resourceTemplates: [
    ...sampleServer.resourceTemplates,
    {
      definition: { uriTemplate: "sample://vault/{id}", name: "vault" },
      parts: [
        { kind: "literal", text: "sample://vault/" },
        { kind: "expression", operator: "", names: ["id"], explode: false },
      ],
      complete: { id: ["one"] },
      handler: () => told,
      ...{ subscribe, scopes },
    },
  ],
  prompts: [
    ...sampleServer.prompts,
    { definition: { name: "secret" }, messages: [], scopes, complete: { a: ["b"] } },
  ],
};

/** The settings of items that a server serves which tells of changes. */
const ofChanges = ["enabled", "subscribe", "watch"] as const;

/** The parts of each kind of server. With questions or changes, the SDK answers more of the requests. */
const KINDS: Readonly<Record<string, Partial<ServerDefinition>>> = {
  plain: { createMetrics },
  filtered: {
    ...changingParts,
    ...{ createPagedList: createFilteredList, isHidden, serves: ofChanges },
  },
  asking: {
    ...askingParts,
    ...changingParts,
    ...{ exactNumbers, serves: ["asks", ...ofChanges] },
    tools: [...(items.tools ?? []), { ...asking, asks: sampleAsks }],
  },
  searched: {
    createSearchedTools,
    exposure: { listed: ["greet"] },
  } as Partial<ServerDefinition>,
  grouped: { ...changingParts, createMetrics, serves: ofChanges, ...withGroups(items) },
  groupedSearched: {
    ...{ createSearchedTools, exposure: { listed: ["greet"] } },
    ...withGroups(items),
  } as Partial<ServerDefinition>,
};

/** The items with groups instead of scopes. */
function withGroups(lists: Partial<ServerDefinition>): Partial<ServerDefinition> {
  const grouped = Object.entries(lists as ItemLists).map(([list, entries = []]) => [
    list,
    entries.map(({ scopes: needed, ...entry }) => ({
      ...entry,
      groups: needed === undefined ? ["public", "both"] : ["admin", "both"],
    })),
  ]);
  return Object.fromEntries(grouped) as Partial<ServerDefinition>;
}

const parts = KINDS[kind] ?? {};
const definition: ServerDefinition = {
  ...sampleServer,
  ...items,
  ...parts,
  ...(kind.startsWith("grouped") &&
    restrict({ groups: { scopePrefix: "group:" }, readOnly: { scope: "reader" } })(
      parts as ServerDefinition,
    )),
  ...resourceTools()(parts as ServerDefinition),
  transports: sampleServer.transports.map((transport) =>
    transport.type === "http" ? { ...transport, metrics: "/metrics" } : transport,
  ),
  limits: { ratePerSecond: 1e9, subscriptions: 1e6, sessions: 1e4, concurrency: 1e4 },
};

/** Callers are called by their tokens. One has the scope. */
const authenticate = ({ token }: { readonly token?: string }): Authentication | undefined =>
  token === undefined ? undefined : { principal: token, scopes: scopesOf(token) };

function scopesOf(token: string): readonly string[] {
  if (token === "ada") return scopes;
  return kind.startsWith("grouped") ? ["group:public", `group:${token}`] : [];
}

await start({
  definition: { ...definition, lateParts: [] },
  context: async () => ({ authenticate }) as object,
  root: fileURLToPath(packageRoot),
  transports: [
    http({ sessions: kind === "asking" ? "memory" : "none" }),
    sse(),
    webSocket(),
    stdio(),
  ],
});
