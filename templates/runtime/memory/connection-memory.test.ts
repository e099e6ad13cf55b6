import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { AnswerConnection } from "./accounts.js";
import { MemoryBudget, someTurns } from "./budget.js";
import type { CallMemory } from "./call-memory.js";
import { connectionMemory } from "./connection-memory.js";
import { ResultLengths } from "./result-lengths.js";

const LENGTH = 10_000_000;

/** A lasting connection whose client reads nothing. */
function connectClient() {
  const connection = { holder: "one", isClosed: false, buffered: 0 };
  const client: AnswerConnection = {
    ...connection,
    unread: () => connection.buffered,
    taken: () => 0,
    end: () => (connection.buffered = 0),
  };
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message: JSONRPCMessage) => {
      connection.buffered += JSON.stringify(message).length;
    },
  };
  const shared = { budget: new MemoryBudget(), lengths: new ResultLengths() };
  const memoryOf = connectionMemory(transport, shared, client);
  const request = undefined;
  const call = (id: number | string, signal = new AbortController().signal) =>
    memoryOf({ id, signal, request })!;
  const answer = (id: number | string, length: number) =>
    transport.send({ jsonrpc: "2.0", id, result: { text: "x".repeat(length) } });
  return { ...shared, client, call, answer };
}

test("the memory of an answer on a lasting connection counts as unread after sending, and only once", async () => {
  const { budget, client, call, answer } = connectClient();
  const memory = call("");
  const finish = await memory.reserve(LENGTH);
  const reserved = budget.held;
  assert.ok(reserved >= LENGTH);
  finish(LENGTH);
  await answer("", LENGTH);
  assert.ok(budget.held >= LENGTH && budget.held < LENGTH + 1_000, String(budget.held));
  budget.closed(client);
  assert.is(budget.held, 0);
});

test("a call reads one long text after the other, and needs memory for the longest", async () => {
  const { budget, call, answer } = connectClient();
  const memory = call(1);
  const finish = await memory.reserve(LENGTH);
  let second = false;
  const later = Promise.resolve(memory.reserve(LENGTH / 2)).then((done) => {
    second = true;
    return done;
  });
  const held = budget.held;
  await someTurns();
  assert.not(second);
  finish(LENGTH);
  (await later)(LENGTH / 2);
  assert.is(budget.held, held);
  await answer(1, 10);
  assert.is(budget.held, 0, "the short answer needs none of it");
});

test("a call whose answer is copied needs memory for the copies until it is written", async () => {
  const { budget, client, call, answer } = connectClient();
  const memory = call(1) as CallMemory;
  const single = call(2) as CallMemory;
  await single.take(Buffer.alloc(LENGTH));
  const lengthOfOne = budget.held;
  await answer(2, LENGTH);
  client.end();
  budget.closed(client);
  await someTurns();
  await memory.withCopies(2).take(Buffer.alloc(LENGTH));
  assert.is(budget.held, 2 * lengthOfOne);
  await answer(1, LENGTH);
  assert.ok(budget.held < LENGTH + 1_000, String(budget.held));
});

test("a cancelled call, which gets no answer, gives its memory back and gets no more", async () => {
  const { budget, call } = connectClient();
  const cancelling = new AbortController();
  const memory = call(1, cancelling.signal);
  (await memory.reserve(LENGTH))(LENGTH);
  cancelling.abort(new Error("cancelled"));
  assert.is(budget.held, 0);
  const error = await Promise.resolve(memory.reserve(LENGTH)).catch((thrown: Error) => thrown);
  assert.match(String(error), "cancelled");
});

test("the next result of a handler is expected to be as long as its latest ones", async () => {
  const { budget, client, call, answer } = connectClient();
  const item = {};
  assert.is(call(1).expect(item), undefined, "nothing is known of the first");
  await answer(1, LENGTH);
  budget.closed(client);
  client.end();
  await call(2).expect(item);
  assert.ok(budget.held >= LENGTH);
  await answer(2, 10);
  assert.is(budget.held, 0);
  for (let id = 3; id < 12; id++) {
    await call(id).expect(item);
    await answer(id, 10);
  }
  assert.is(call(12).expect(item), undefined, "short results are remembered, too");
  const reading = call(13);
  void reading.expect(item);
  (await reading.reserve(LENGTH))(LENGTH);
  await answer(13, LENGTH);
  budget.closed(client);
  client.end();
  assert.is(call(14).expect(item), undefined, "a call that reserves itself what it reads");
});

test("a result that is longer than expected waits for memory before it is written", async () => {
  const { budget, client, call, answer } = connectClient();
  const held = budget.reservation({ ...client, unread: () => 0 });
  await held.hold(60_000_000);
  const memory = call(1);
  let isTaken = false;
  const taking = Promise.resolve(memory.take(Buffer.alloc(LENGTH))).then(() => (isTaken = true));
  await someTurns();
  assert.not(isTaken);
  assert.ok(memory.waitedMs() > 0);
  held.release();
  await taking;
  const waitedMs = memory.waitedMs();
  await someTurns();
  assert.is(memory.waitedMs(), waitedMs);
  assert.is(budget.held, LENGTH);
  await answer(1, 10);
  assert.is(budget.held, 0);
});

test.run();
