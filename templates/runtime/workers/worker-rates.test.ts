import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Grant } from "./messages.js";
import { WorkerRates } from "./worker-rates.js";

/** A primary process that answers with these grants, and what it was asked. */
function primary(...grants: readonly Grant[]) {
  const asked: [client: string, wanted: number][] = [];
  const rates = new WorkerRates(async (client, wanted) => {
    asked.push([client, wanted]);
    return grants[asked.length - 1] ?? { granted: 0, waitMs: 60_000 };
  });
  return { asked, rates };
}

/** What each of so many requests gets that come at once. */
async function burst(rates: WorkerRates, requests: number): Promise<readonly number[]> {
  const waits = Array.from({ length: requests }, async () => {
    await rates.whenDecided("ada", 1, performance.now());
    return rates.take("ada", performance.now());
  });
  return Promise.all(waits);
}

test("requests that come at once get what is granted, and the others are refused", async () => {
  const { asked, rates } = primary({ granted: 1, waitMs: 0 }, { granted: 3, waitMs: 1_500 });
  assert.equal(await burst(rates, 6), [0, 0, 0, 0, 2, 2]);
  assert.equal(asked, [
    ["ada", 1],
    ["ada", 5],
  ]);
  assert.is(rates.whenDecided("ada", 1, performance.now()), undefined, "the refusal is known");
});

test("a grant of several requests is asked for once", async () => {
  const { asked, rates } = primary({ granted: 10, waitMs: 0 });
  for (let turn = 0; turn < 10; turn++) assert.equal(await burst(rates, 1), [0]);
  assert.is(asked.length, 1);
  assert.ok((await burst(rates, 1))[0]);
});

test("clients have budgets of their own", async () => {
  const { rates } = primary({ granted: 0, waitMs: 5_000 }, { granted: 1, waitMs: 0 });
  assert.equal(await burst(rates, 1), [5]);
  await rates.whenDecided("lin", 1, performance.now());
  assert.is(rates.take("lin", performance.now()), 0);
});

test("what the primary process has refused stays refused, however late it is counted", async () => {
  const { rates } = primary({ granted: 2, waitMs: 10 });
  const now = performance.now();
  const decided = Array.from({ length: 5 }, () => rates.whenDecided("ada", 1, now));
  await Promise.all(decided);
  // A process that is busy may count long after the client could have sent again.
  const later = now + 600_000;
  assert.equal(
    decided.map(() => rates.take("ada", later)),
    [0, 0, 1, 1, 1],
  );
});

test("a request that was accepted keeps its place, whatever is decided before it is counted", async () => {
  const { asked, rates } = primary({ granted: 2, waitMs: 0 }, { granted: 1, waitMs: 0 });
  await rates.whenDecided("ada", 1, performance.now());
  assert.is(rates.whenDecided("ada", 1, performance.now()), undefined);
  await rates.whenDecided("ada", 1, performance.now());
  for (let turn = 0; turn < 3; turn++) assert.is(rates.take("ada", performance.now()), 0);
  assert.equal(asked, [
    ["ada", 1],
    ["ada", 1],
  ]);
});

test.run();
