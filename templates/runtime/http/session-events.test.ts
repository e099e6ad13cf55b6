import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { EventBudget, SessionEvents } from "./session-events.js";

const message = (text: string): JSONRPCMessage => ({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { text },
});

/** Returns the texts that a client gets after an event, with their stream. */
async function replay(events: SessionEvents, after: string): Promise<[string, string[]]> {
  const texts: string[] = [];
  const send = async (_id: string, sent: JSONRPCMessage): Promise<void> => {
    assert.ok("params" in sent);
    texts.push(String(sent.params?.["text"]));
  };
  return [await events.replayEventsAfter(after, { send }), texts];
}

test("the later events of the same stream are replayed, without the event that opened it", async () => {
  const events = new SessionEvents(new EventBudget());
  const opening = await events.storeEvent("a", {} as JSONRPCMessage);
  const first = await events.storeEvent("a", message("one"));
  await events.storeEvent("b", message("other"));
  await events.storeEvent("a", {} as JSONRPCMessage);
  await events.storeEvent("a", message("two"));
  assert.equal(await replay(events, opening), ["a", ["one", "two"]]);
  assert.equal(await replay(events, first), ["a", ["two"]]);
  assert.not(events.has("99"));
  const unknown = await replay(events, "99").catch((error: Error) => error.message);
  assert.is(unknown, "No such event");
});

test("the oldest events are dropped first, and the newest is kept whatever its length", async () => {
  const events = new SessionEvents(new EventBudget());
  const first = await events.storeEvent("a", message("one"));
  for (let count = 0; count < 1_000; count++) await events.storeEvent("a", message("more"));
  assert.not(events.has(first));
  const huge = await events.storeEvent("a", message("x".repeat(5_000_000)));
  assert.ok(events.has(huge));
  assert.not(events.has(String(Number(huge) - 1)));
});

test("sessions share one budget: the longest loses events first, and a closed session frees its share", async () => {
  const budget = new EventBudget(1_000);
  const [left, right] = [new SessionEvents(budget), new SessionEvents(budget)];
  const first = await right.storeEvent("a", message("x".repeat(100)));
  const long = await left.storeEvent("a", message("x".repeat(900)));
  assert.equal([left.has(long), right.has(first)], [false, true]);
  for (let count = 0; count < 100; count++) await left.storeEvent("a", message("more"));
  assert.ok(right.has(first), "many short events of one take no other's");
  left.clear();
  right.clear();
  assert.is(left.length + right.length, 0);
  const again = await left.storeEvent("a", message("x".repeat(700)));
  const beside = await right.storeEvent("a", message("x".repeat(100)));
  assert.equal([left.has(again), right.has(beside)], [true, true]);
});

test("long answers of many sessions stay within the budget", async () => {
  const budget = new EventBudget();
  const sessions = Array.from({ length: 100 }, () => new SessionEvents(budget));
  const text = "x".repeat(5_000_000);
  for (const session of sessions) await session.storeEvent("a", message(text));
  const used = sessions.reduce((sum, { length }) => sum + length, 0);
  assert.ok(used <= 64 * 1_024 * 1_024, `${used} of 100 sessions`);
  const held = sessions.filter((session) => session.has("1"));
  assert.is(held.length, 13, "as many as there is room for");
});

test.run();
