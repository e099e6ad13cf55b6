import { test } from "uvu";
import * as assert from "uvu/assert";
import { WebSocketRate } from "./message-rate.js";

const question = { jsonrpc: "2.0", id: 7, method: "roots/list" } as const;
const answer = { jsonrpc: "2.0", id: 7, result: { roots: [] } } as const;
const failure = { jsonrpc: "2.0", id: 7, error: { code: -1, message: "no" } } as const;

function spent(): WebSocketRate {
  return new WebSocketRate(() => 3);
}

test("the first answer to a question of the server does not count", () => {
  for (const one of [answer, failure]) {
    const rate = spent();
    assert.is(rate.receives(one), 3, "nobody asked");
    rate.sends(question);
    assert.is(rate.receives(one), 0);
    assert.is(rate.receives(one), 3, "answered before");
  }
});

test("an answer to a cancelled question counts", () => {
  const rate = spent();
  rate.sends(question);
  rate.sends({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  assert.is(rate.receives(answer), 3);
});

test("requests and notifications count", () => {
  let count = 0;
  const rate = new WebSocketRate(() => (count++, 0));
  rate.receives({ jsonrpc: "2.0", id: 1, method: "ping" });
  rate.receives({ jsonrpc: "2.0", method: "notifications/initialized" });
  assert.is(count, 2);
});

test.run();
