import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultListRoots } from "../../src/tools/test-input-required-result-list-roots.ts";

test("test_input_required_result_list_roots answers", async () => {
  const ctx = createTestContext(testInputRequiredResultListRoots, { answers: { roots: [{ uri: "file:///work" }] } });
  assert.is(await testInputRequiredResultListRoots({}, ctx), "1 roots: file:///work");
});

test.run();
