import { test } from "uvu";
import * as assert from "uvu/assert";
import { DifferentialRounds } from "./differential-rounds.js";

test("the fast path answers 20,000 requests, good and bad, as the SDK does", async () => {
  const rounds = await DifferentialRounds.start();
  try {
    await rounds.run(1, 20_000);
  } finally {
    await rounds.close();
  }
  const { requests, answered, fast, replayedOutcomes } = rounds.counts;
  assert.is(requests, 20_000);
  // Otherwise the SDK would have been compared with itself.
  assert.ok(fast > 4_000, `${fast} of ${answered} answers came from the fast path`);
  assert.ok(replayedOutcomes > 500, `${replayedOutcomes} outcomes travelled to the SDK`);
});

test.run();
