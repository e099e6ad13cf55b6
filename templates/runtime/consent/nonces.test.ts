import { test } from "uvu";
import * as assert from "uvu/assert";
import { MemoryNonces } from "./nonces.js";

const minuteMs = 60_000;

test("a caller who uses many leaves the others their room, and gets more when its own have expired", () => {
  let now = 0;
  const nonces = new MemoryNonces(() => now);
  const redeemed = (holder: string, from: number): number =>
    Array.from({ length: 2_000 }, (_none, index) =>
      nonces.redeem(`${holder} ${from + index}`, now + 5 * minuteMs, holder),
    ).filter(Boolean).length;
  assert.is(redeemed("greedy", 0), 1_000);
  assert.ok(nonces.redeem("one", now + 5 * minuteMs, "honest"));
  assert.not(nonces.redeem("one", now + 5 * minuteMs, "honest"));
  assert.not(nonces.redeem("one", now + 5 * minuteMs, "another"));
  now += 6 * minuteMs;
  assert.is(redeemed("greedy", 2_000), 1_000);
  assert.ok(nonces.redeem("two", now + 5 * minuteMs, "honest"));
});

test("what all callers use together is bounded, and none of it is forgotten before it expires", () => {
  const nonces = new MemoryNonces(() => 0);
  for (let caller = 0; caller < 100; caller++) {
    for (let index = 0; index < 1_000; index++) {
      assert.ok(nonces.redeem(`${caller} ${index}`, minuteMs, String(caller)));
    }
  }
  assert.not(nonces.redeem("late", minuteMs, "late"));
  assert.not(nonces.redeem("0 0", minuteMs, "0"));
});

test.run();
