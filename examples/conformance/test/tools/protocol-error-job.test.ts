import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { protocolErrorJob } from "../../src/tools/protocol-error-job.ts";

test("protocol_error_job counts the folders of clients that have some", async () => {
  const ctx = createTestContext(protocolErrorJob, { answers: { roots: [{ uri: "file:///a" }] } });
  assert.is(await protocolErrorJob({}, ctx), "You work in 1 folders.");
});

test.run();
