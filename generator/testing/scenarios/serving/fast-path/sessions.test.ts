import { test } from "uvu";
import * as assert from "uvu/assert";
import { SessionRounds } from "./session-rounds.js";

test("lasting connections are served without the SDK as they are with it, over 5,000 lines", async () => {
  const rounds = new SessionRounds();
  await rounds.run(1, 5_000);
  const { lines, sessions, withoutSdk, taken } = rounds.counts;
  assert.ok(lines >= 5_000);
  // Otherwise the SDK would have been compared with itself.
  assert.ok(withoutSdk > 10, `${withoutSdk} of ${sessions} sessions did without the SDK`);
  assert.ok(taken > 1_000, `${taken} of ${lines} lines were taken by the fast path`);
});

test.run();
