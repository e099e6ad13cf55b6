import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { multiInput } from "../../src/tools/multi-input.ts";

test("multi_input answers", async () => {
  const elicit = { first: { name: "Ann" }, second: { name: "Bob" } };
  const ctx = createTestContext(multiInput, { answers: { elicit } });
  assert.is(await multiInput({}, ctx), "Hello, Ann and Bob!");
});

test.run();
