import { test } from "uvu";
import * as assert from "uvu/assert";
import { MessageOutline } from "./message-outline.js";

function outline(text: string, pieceLength = text.length): unknown {
  const drawn = new MessageOutline();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceLength) {
    drawn.add(bytes.subarray(at, at + pieceLength));
  }
  return drawn.members();
}

const long = "x".repeat(100_000);

test("the outermost members are told, wherever they stand and however their bytes come", () => {
  const params = { name: "a", arguments: { id: 9, text: `${long}"}]\\`, list: [[{ id: 8 }]] } };
  for (const message of [
    { jsonrpc: "2.0", id: 7, method: "tools/call", params },
    { method: "tools/call", params, jsonrpc: "2.0", id: 7 },
    { params, other: [params, "]"], id: 7, jsonrpc: "2.0", method: "tools/call" },
  ]) {
    const { id, jsonrpc, method, ...nested } = message;
    const zeros = Object.fromEntries(Object.keys(nested).map((name) => [name, 0]));
    for (const text of [JSON.stringify(message), JSON.stringify(message, null, 2)]) {
      assert.equal(outline(text), { id, jsonrpc, method, ...zeros });
      assert.equal(outline(text, 1), { id, jsonrpc, method, ...zeros });
      assert.equal(outline(text, 7), { id, jsonrpc, method, ...zeros });
    }
  }
});

test("text ids keep every character", () => {
  const id = 'é"\\{[\u2028😀';
  assert.equal(outline(JSON.stringify({ id, params: [long] }), 3), { id, params: 0 });
});

test("what is no object, or too long in its outermost members, has no members to tell", () => {
  for (const text of [
    long,
    `[{"id":1,"method":"ping"},"${long}"]`,
    `{"id":1,"method":"${long}"}`,
    `{"id":1,"params":{"a":"${long}"`,
    `{"id":1,"params":{}}}`,
    `]]]]{"id":1}`,
    "",
  ]) {
    assert.is(outline(text), undefined, text.slice(0, 40));
  }
});

test.run();
