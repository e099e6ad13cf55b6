import { setTimeout as delay } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { AnswerMemory } from "../context/answer-memory.js";
import { CallsInFlight } from "./calls-in-flight.js";

const LIMIT_MS = 100;

/** Each timer of Node.js may end a millisecond early, and a limit that grows has several, one after the other. */
const EARLY_MS = 10;

/** Runs a call that waits for memory for some time, and then takes some time of its own. @returns how it ends */
async function run(waitMs: number, workMs: number): Promise<string> {
  const calls = new CallsInFlight(1, () => "limit");
  const startedAt = performance.now();
  const waitedMs = (): number => Math.min(waitMs, performance.now() - startedAt);
  const memory = { waitedMs } as AnswerMemory;
  const { signal } = new AbortController();
  const work = async (): Promise<string> => delay(waitMs + workMs, "done");
  return Promise.resolve(calls.run({ signal, memory }, LIMIT_MS, work)).catch(
    ({ message }: Error) => message,
  );
}

test("the time for which a call waits for memory is no part of its time limit", async () => {
  assert.is(await run(5 * LIMIT_MS, 1), "done");
});

test("a call that has waited for memory still has a time limit", async () => {
  const startedAt = performance.now();
  assert.is(await run(2 * LIMIT_MS, 60_000), "The call took longer than 0.1 s");
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs >= 3 * LIMIT_MS - EARLY_MS && tookMs < 30_000, `${tookMs} ms`);
});

test.run();
