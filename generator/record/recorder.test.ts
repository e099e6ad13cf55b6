import { test } from "uvu";
import * as assert from "uvu/assert";
import { Recorder } from "./recorder.js";

const call = (id: unknown, name = "t"): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: { a: id } },
  });
const answer = (id: unknown, result: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, result });

test("calls are found with their answers, in any order, in lists, and without what belongs to the protocol", () => {
  const recorder = new Recorder();
  recorder.fromClient(`[${call(1)}, ${call("1")}]`);
  recorder.fromServer(answer("1", { content: [], _meta: { a: 1 }, resultType: "complete" }));
  recorder.fromServer(answer(1, { structuredContent: { b: 1 }, isError: false }));
  assert.equal(recorder.calls, [
    { tool: "t", arguments: { a: "1" }, answer: { content: [] } },
    { tool: "t", arguments: { a: 1 }, answer: { structuredContent: { b: 1 } } },
  ]);
  assert.equal(recorder.skipped, []);
});

test("messages that are no call, and answers that are no result, are skipped with a reason", () => {
  const recorder = new Recorder();
  const read = { id: 9, method: "resources/read", params: { uri: "a:b" } };
  for (const text of ["", "{", "null", "[1, [], {}]", '{"id": 1}', JSON.stringify(read)]) {
    recorder.fromClient(text);
    recorder.fromServer(text);
  }
  recorder.fromClient('{"id": 1, "method": "tools/call", "params": {"name": 1}}');
  recorder.fromClient(
    '{"id": 1, "method": "tools/call", "params": {"name": "a", "arguments": []}}',
  );
  for (const id of [1, 2, 3]) recorder.fromClient(call(id));
  recorder.fromServer('{"id": 1, "error": {"code": 1, "message": "no"}}');
  recorder.fromServer(answer(2, { resultType: "input_required" }));
  recorder.fromServer(
    `{"id": 3, "result": {"structuredContent": ${"[".repeat(5000)}${"]".repeat(5000)}}}`,
  );
  recorder.fromServer(answer(4, {}));
  assert.equal(recorder.calls, []);
  assert.equal(recorder.skipped, [
    "2 messages that are no JSON",
    "1 reads of resources, since only tools have examples",
    "1 calls that were answered with errors of the protocol",
    "1 calls that were answered with a question or a task",
    "1 calls with values that are nested more than 100 levels deep",
  ]);
});

test("a recording has bounds, however many calls pass", () => {
  const recorder = new Recorder();
  for (let id = 0; id < 3_000; id++) recorder.fromClient(call(id));
  for (let id = 0; id < 3_000; id++) recorder.fromServer(answer(id, { content: [] }));
  assert.is(recorder.calls.length, 1_000);
  assert.equal(recorder.calls[0]?.arguments, { a: 2_000 }, "the oldest are forgotten");
  const large = new Recorder();
  for (let id = 0; id < 10; id++) {
    large.fromClient(call(id));
    large.fromServer(answer(id, { structuredContent: "x".repeat(4_000_000) }));
  }
  assert.is(large.calls.length, 4);
});

test.run();
