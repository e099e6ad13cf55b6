import { test } from "uvu";
import * as assert from "uvu/assert";
import { DifferentialRounds } from "./differential-rounds.js";
import { shortOrLong } from "../../../harness/runner/test-length.js";

const REQUESTS = shortOrLong(300, 40_000);

test(`the fast path answers ${REQUESTS} requests, good and bad, as the SDK does`, async () => {
  const rounds = await DifferentialRounds.start();
  try {
    await rounds.run(1, REQUESTS);
  } finally {
    await rounds.close();
  }
  const { requests, answered, fast, replayedOutcomes } = rounds.counts;
  assert.is(requests, REQUESTS);
  // Otherwise the SDK would have been compared with itself.
  assert.ok(fast > REQUESTS / 5, `${fast} of ${answered} answers came from the fast path`);
  assert.ok(replayedOutcomes > REQUESTS / 40, `${replayedOutcomes} outcomes travelled to the SDK`);
});

test.run();
