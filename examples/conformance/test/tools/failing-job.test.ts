import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { failingJob } from "../../src/tools/failing-job.ts";

test("failing_job fails in words", async () => {
  const answer = Promise.resolve(failingJob({}, createTestContext()));
  const error = await answer.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  assert.match(error?.message ?? "", "The job has failed");
});

test.run();
