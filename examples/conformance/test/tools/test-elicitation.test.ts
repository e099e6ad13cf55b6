import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testElicitation } from "../../src/tools/test-elicitation.ts";

test("test_elicitation answers", async () => {
  const ctx = createTestContext(testElicitation, { answers: { elicit: { user: { username: "ada", email: "ada@example.com" } } } });
  assert.is(await testElicitation({ message: "Who?" }, ctx), 'User response: {"username":"ada","email":"ada@example.com"}');
  assert.equal(
    ctx.asked.map(({ message }) => message),
    ["Who?"],
  );
});

test.run();
