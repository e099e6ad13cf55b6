import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Json } from "./mistyped-messages/messages.js";
import { closeRoads, openRoads } from "./mistyped-messages/open-roads.js";
import { randomFrames, sendFrames } from "./mistyped-messages/rounds.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

/** Messages whose members have other types than the protocol wants, over every transport in both eras. */

const test = suite("mistyped messages");
const roads = await openRoads();
test.after(() => closeRoads(roads));

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Requests of items, of which some need a scope that the caller lacks, by names that are no texts. */
const UNNAMED: readonly (readonly [method: string, params: Json])[] = [
  ["tools/call", { name: { toString: 1 } }],
  ["tools/call", { name: [] }],
  ["resources/read", { uri: { toString: 1 } }],
  ["prompts/get", { name: { toString: 1 } }],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: [] }, argument: { name: "a", value: "" } },
  ],
  [
    "completion/complete",
    { ref: { type: "ref/resource", uri: { toString: 1 } }, argument: { name: "a", value: "" } },
  ],
];
const UNNAMED_OF = {
  modern: [["subscriptions/listen", { notifications: { resourceSubscriptions: [{}] } }]],
  legacy: [["resources/subscribe", { uri: null }]],
} as const;

for (const road of roads) {
  test(`${road.name}: a name or URI that is no text is an invalid parameter, and the server goes on`, async () => {
    for (const [method, params] of [...UNNAMED, ...UNNAMED_OF[road.era]]) {
      const _meta = road.era === "modern" ? { _meta: META } : {};
      const value = { jsonrpc: "2.0", id: "mistyped", method, params: { ...params, ..._meta } };
      const text = JSON.stringify(value);
      const { messages, status, isClosed } = await road.send(
        { text, value },
        ({ id }) => id === value.id,
      );
      const what = `${text}: ${status} ${JSON.stringify(messages)}`;
      assert.ok(road.server.isAlive, road.server.logLines.join("\n"));
      assert.not(isClosed, what);
      const [answer] = messages.filter(({ error }) => error !== undefined);
      const { code } = (answer?.["error"] ?? {}) as { readonly code?: number };
      assert.ok(code === -32602 || (method === "resources/subscribe" && code === -32601), what);
      assert.ok(status === undefined || status < 500, what);
    }
    assert.equal(road.server.failures, []);
  });
}

/** Requests with parameters of wrong types, which the SDK checks before the engine. */
const ODD: readonly (readonly [method: string, params: unknown])[] = [
  ["tools/call", { name: "greet", arguments: "x" }],
  ["tools/call", { name: 7, arguments: [] }],
  ["tools/call", []],
  ["initialize", { protocolVersion: 1, capabilities: [], clientInfo: null }],
];

for (const road of roads) {
  test(`${road.name}: an error says in words which parameter is wrong`, async () => {
    for (const [method, params] of ODD) {
      const _meta = road.era === "modern" ? { _meta: META } : {};
      const all = Array.isArray(params) ? params : { ...(params as Json), ..._meta };
      const value = { jsonrpc: "2.0", id: "odd", method, params: all };
      const text = JSON.stringify(value);
      const { messages } = await road.send({ text, value }, ({ id }) => id === "odd");
      const error = messages.find((message) => message["error"] !== undefined)?.["error"] as
        Json | undefined;
      const what = `${text}: ${JSON.stringify(error)}`;
      assert.ok([-32600, -32601, -32602, -32020, -32000].includes(Number(error?.["code"])), what);
      assert.not.match(what, /\\n|\\"path\\"|invalid_type/);
    }
  });
}

const FRAMES = shortOrLong(40, 6_000);

test(`${FRAMES} frames over each of ${roads.length} roads get honest answers`, async () => {
  const { outcomes, wrong } = await sendFrames(roads, (road) => randomFrames(road, 1, FRAMES));
  assert.equal(wrong, []);
  assert.ok((outcomes.get("result") ?? 0) > FRAMES / 10, "some are still right");
  assert.ok((outcomes.get("error -32602") ?? 0) > FRAMES, "many are not");
});

test.run();
