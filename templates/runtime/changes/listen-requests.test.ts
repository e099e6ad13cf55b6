import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { watchedThrough } from "./listen-requests.js";

const test = suite("listen requests of a connection");

const MOST = 2;

/** The server's end of a connection, with the URIs that its client watches. */
function connection() {
  const [, transport] = InMemoryTransport.createLinkedPair();
  const watched = watchedThrough(transport, MOST);
  const listen = (id: number): void => {
    const params = { notifications: { resourceSubscriptions: [`a:///${id}`] } };
    transport.onmessage?.({ jsonrpc: "2.0", id, method: "subscriptions/listen", params });
  };
  return { transport, watched, listen };
}

const ENDS: readonly (readonly [string, (id: number) => JSONRPCMessage])[] = [
  ["a result", (id) => ({ jsonrpc: "2.0", id, result: {} })],
  ["an error", (id) => ({ jsonrpc: "2.0", id, error: { code: -32602, message: "Invalid" } })],
];

for (const [end, answerTo] of ENDS) {
  test(`a subscription whose request ends by ${end} is removed and no longer counts`, async () => {
    const { transport, watched, listen } = connection();
    listen(1);
    listen(2);
    listen(3);
    assert.equal(watched(), ["a:///1", "a:///2"]);
    await transport.send(answerTo(1));
    assert.equal(watched(), ["a:///2"]);
    listen(4);
    assert.equal(watched(), ["a:///2", "a:///4"]);
  });
}

test("a cancelled subscription is removed, and other messages remove none", async () => {
  const { transport, watched, listen } = connection();
  listen(1);
  listen(2);
  const params = { requestId: 1 };
  transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  await transport.send({ jsonrpc: "2.0", method: "notifications/resources/list_changed" });
  await transport.send({ jsonrpc: "2.0", id: 2, method: "ping" });
  assert.equal(watched(), ["a:///2"]);
});

test("a connection that has ended has no subscriptions", async () => {
  const { transport, watched, listen } = connection();
  listen(1);
  await transport.close();
  assert.equal(watched(), []);
});

test.run();
