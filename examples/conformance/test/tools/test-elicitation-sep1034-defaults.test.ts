import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testElicitationSep1034Defaults } from "../../src/tools/test-elicitation-sep1034-defaults.ts";

test("test_elicitation_sep1034_defaults answers", async () => {
  const ctx = createTestContext(testElicitationSep1034Defaults, { answers: { elicit: { profile: { name: "Ada", age: 36 } } } });
  assert.is(await testElicitationSep1034Defaults({}, ctx), 'Elicitation completed: {"name":"Ada","age":36}');
});

test.run();
