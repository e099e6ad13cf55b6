import { test } from "uvu";
import * as assert from "uvu/assert";
import { MessageOutline } from "./message-outline.js";

function membersOf(text: string, chunkLength = text.length): unknown {
  const outline = new MessageOutline();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkLength) {
    outline.add(bytes.subarray(at, at + chunkLength));
  }
  return outline.topLevelMembers();
}

const long = "x".repeat(100_000);

test("an outline has the outermost members, whatever their order and the chunks of bytes", () => {
  const params = { name: "a", arguments: { id: 9, text: `${long}"}]\\`, list: [[{ id: 8 }]] } };
  for (const message of [
    { jsonrpc: "2.0", id: 7, method: "tools/call", params },
    { method: "tools/call", params, jsonrpc: "2.0", id: 7 },
    { params, other: [params, "]"], id: 7, jsonrpc: "2.0", method: "tools/call" },
  ]) {
    const { id, jsonrpc, method, ...nested } = message;
    const zeros = Object.fromEntries(Object.keys(nested).map((name) => [name, 0]));
    for (const text of [JSON.stringify(message), JSON.stringify(message, null, 2)]) {
      assert.equal(membersOf(text), { id, jsonrpc, method, ...zeros });
      assert.equal(membersOf(text, 1), { id, jsonrpc, method, ...zeros });
      assert.equal(membersOf(text, 7), { id, jsonrpc, method, ...zeros });
    }
  }
});

test("text ids keep every character", () => {
  const id = 'é"\\{[\u2028😀';
  assert.equal(membersOf(JSON.stringify({ id, params: [long] }), 3), { id, params: 0 });
});

test("a text that is no object, or has too long outermost members, has no outline", () => {
  for (const text of [
    long,
    `[{"id":1,"method":"ping"},"${long}"]`,
    `{"id":1,"method":"${long}"}`,
    `{"id":1,"params":{"a":"${long}"`,
    `{"id":1,"params":{}}}`,
    `]]]]{"id":1}`,
    "",
  ]) {
    assert.is(membersOf(text), undefined, text.slice(0, 40));
  }
});

test.run();
