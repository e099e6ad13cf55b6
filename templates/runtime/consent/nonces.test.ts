import { test } from "uvu";
import * as assert from "uvu/assert";
import { caller } from "../samples/engine.js";
import { holderOf, MemoryNonces } from "./nonces.js";

const minuteMs = 60_000;

test("a caller who uses many leaves the others their room, and gets more when its own have expired", () => {
  let now = 0;
  const nonces = new MemoryNonces(() => now);
  const redeemed = (holder: string, from: number): number =>
    Array.from({ length: 2_000 }, (_none, index) =>
      nonces.redeem(`${holder} ${from + index}`, now + 5 * minuteMs, holder),
    ).filter((redemption) => redemption === "redeemed").length;
  assert.is(redeemed("greedy", 0), 1_000);
  assert.is(nonces.redeem("greedy 1500", now + 5 * minuteMs, "greedy"), "full");
  assert.is(nonces.redeem("greedy 1500", now + 5 * minuteMs, "honest"), "redeemed");
  assert.is(nonces.redeem("greedy 1", now + 5 * minuteMs, "greedy"), "used");
  assert.is(nonces.redeem("one", now + 5 * minuteMs, "honest"), "redeemed");
  assert.is(nonces.redeem("one", now + 5 * minuteMs, "honest"), "used");
  assert.is(nonces.redeem("one", now + 5 * minuteMs, "another"), "used");
  now += 6 * minuteMs;
  assert.is(redeemed("greedy", 2_000), 1_000);
  assert.is(nonces.redeem("two", now + 5 * minuteMs, "honest"), "redeemed");
});

test("what all callers use together is bounded, and none of it is forgotten before it expires", () => {
  const nonces = new MemoryNonces(() => 0);
  for (let caller = 0; caller < 100; caller++) {
    for (let index = 0; index < 1_000; index++) {
      nonces.redeem(`${caller} ${index}`, minuteMs, String(caller));
    }
  }
  assert.is(nonces.redeem("late", minuteMs, "late"), "full");
  assert.is(nonces.redeem("0 0", minuteMs, "0"), "used");
});

test("no address has the name of a principal, and addresses of one network have one name", () => {
  const named = (principal: string): string =>
    holderOf({ ...caller, authentication: { principal, scopes: [] }, address: "10.0.0.1" });
  assert.is(named("ada"), "principal ada");
  assert.is(holderOf({ ...caller, address: "10.0.0.1" }), "address 10.0.0.1");
  assert.is.not(named("10.0.0.1"), holderOf({ ...caller, address: "10.0.0.1" }));
  assert.is.not(named(""), holderOf(caller));
  const networks = ["2001:db8::1", "2001:db8::2"].map((address) =>
    holderOf({ ...caller, address }),
  );
  assert.equal(networks, Array(2).fill("address 2001:db8:0:0"));
});

test.run();
