import { test } from "uvu";
import * as assert from "uvu/assert";
import { shortOrLong } from "../../../harness/runner/test-length.js";
import { SessionRounds } from "./session-rounds.js";

const LINES = shortOrLong(1_500, 10_000);

test(`lasting connections are served without the SDK as they are with it, over ${LINES} lines`, async () => {
  const rounds = new SessionRounds();
  await rounds.run(1, LINES);
  const { lines, sessions, withoutSdk, taken } = rounds.counts;
  assert.ok(lines >= LINES);
  // Otherwise the SDK would have been compared with itself.
  assert.ok(withoutSdk > LINES / 500, `${withoutSdk} of ${sessions} sessions did without the SDK`);
  assert.ok(taken > LINES / 5, `${taken} of ${lines} lines were taken by the fast path`);
});

test.run();
