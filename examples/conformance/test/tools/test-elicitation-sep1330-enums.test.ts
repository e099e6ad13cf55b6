import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testElicitationSep1330Enums } from "../../src/tools/test-elicitation-sep1330-enums.ts";

test("test_elicitation_sep1330_enums answers", async () => {
  const ctx = createTestContext(testElicitationSep1330Enums, { answers: { elicit: { choices: { legacyEnum: "opt2", titledMulti: ["value1"] } } } });
  assert.is(await testElicitationSep1330Enums({}, ctx), 'Elicitation completed: {"legacyEnum":"opt2","titledMulti":["value1"]}');
});

test.run();
