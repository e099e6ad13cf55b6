import type { Era } from "../../../../../templates/runtime/context/context.js";

/** Messages of clients that have a member at every place that the protocol types. */

export type Json = Readonly<Record<string, unknown>>;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {} },
    sampling: { tools: {} },
    roots: {},
    experimental: { one: {} },
  },
  "io.modelcontextprotocol/clientInfo": { name: "client", version: "1", title: "Client" },
};

/** The `params` of requests by method, the same in both eras. */
const REQUESTS: readonly (readonly [method: string, params: Json])[] = [
  ["tools/list", { cursor: "x" }],
  ["tools/list", {}],
  ["tools/call", { name: "greet", arguments: { who: "Ada" } }],
  ["tools/call", { name: "secret", arguments: {} }],
  ["tools/call", { name: "forecast", arguments: { city: "Bern", days: 3 } }],
  ["tools/call", { name: "report", arguments: {} }],
  ["tools/call", { name: "regional", arguments: { region: "eu" } }],
  ["tools/call", { name: "search_tools", arguments: { query: "greet", limit: 3 } }],
  ["tools/call", { name: "call_tool", arguments: { name: "greet", arguments: { who: "A" } } }],
  [
    "tools/call",
    {
      name: "asking",
      arguments: {},
      inputResponses: { name: { action: "accept", content: { name: "Ada" } } },
      requestState: "x",
    },
  ],
  ["resources/list", { cursor: "x" }],
  ["resources/templates/list", { cursor: "x" }],
  ["resources/read", { uri: "sample://help" }],
  ["resources/read", { uri: "sample://secret" }],
  ["resources/read", { uri: "sample://cities/Bern" }],
  ["resources/subscribe", { uri: "sample://help" }],
  ["resources/unsubscribe", { uri: "sample://help" }],
  ["prompts/list", { cursor: "x" }],
  ["prompts/get", { name: "plan_trip", arguments: { city: "Bern", style: "slow" } }],
  ["prompts/get", { name: "secret", arguments: {} }],
  [
    "completion/complete",
    {
      ref: { type: "ref/prompt", name: "plan_trip" },
      argument: { name: "city", value: "B" },
      context: { arguments: { style: "slow" } },
    },
  ],
  [
    "completion/complete",
    {
      ref: { type: "ref/resource", uri: "sample://cities/{city}" },
      argument: { name: "city", value: "B" },
    },
  ],
  ["logging/setLevel", { level: "debug" }],
  ["ping", {}],
  ["server/discover", {}],
  [
    "subscriptions/listen",
    {
      notifications: {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ["sample://help", "sample://secret"],
      },
    },
  ],
  [
    "initialize",
    {
      protocolVersion: "2025-11-25",
      capabilities: {
        elicitation: { form: {} },
        sampling: { tools: {} },
        roots: { listChanged: true },
        experimental: { one: {} },
      },
      clientInfo: { name: "client", version: "1", title: "Client" },
    },
  ],
  ["no/such/method", { name: "x" }],
];

const NOTIFICATIONS: readonly (readonly [method: string, params: Json])[] = [
  ["notifications/initialized", {}],
  ["notifications/cancelled", { requestId: "none", reason: "why" }],
  ["notifications/progress", { progressToken: "t", progress: 1, total: 2, message: "half" }],
  ["notifications/roots/list_changed", {}],
  ["no/such/notification", { name: "x" }],
];

/** Answers to questions of the server. */
const RESPONSES: readonly Json[] = [
  { result: { action: "accept", content: { name: "Ada" } } },
  { result: { roots: [{ uri: "file:///a", name: "a" }] } },
  { error: { code: -32000, message: "no", data: { a: 1 } } },
];

/** All messages of a client of an era. Requests and answers have the id `id`. */
export function messagesOf(era: Era): readonly Json[] {
  const meta: Json = era === "modern" ? { ...META, progressToken: "t" } : { progressToken: "t" };
  const of = ([method, params]: readonly [string, Json]): Json => ({
    jsonrpc: "2.0",
    method,
    params: { ...params, _meta: meta },
  });
  return [
    ...REQUESTS.map(of).map((request) => ({ ...request, id: "id" })),
    ...NOTIFICATIONS.map(of),
    ...RESPONSES.map((response) => ({ jsonrpc: "2.0", id: "id", ...response })),
  ];
}

/** The request of an honest client, whose answer is known. */
export function honestRequest(era: Era, id: string): Json {
  const params = { name: "greet", arguments: { who: "Ada" } };
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: era === "modern" ? { ...params, _meta: META } : params,
  };
}

/** The first message of a client of the older eras. */
export const HANDSHAKE: Json = {
  jsonrpc: "2.0",
  id: "handshake",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {}, roots: {}, sampling: {} },
    clientInfo: { name: "client", version: "1" },
  },
};
