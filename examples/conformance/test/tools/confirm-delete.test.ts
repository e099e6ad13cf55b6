import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { confirmDelete } from "../../src/tools/confirm-delete.ts";

for (const [confirm, answer] of [
  [true, "a.txt is deleted."],
  [false, "a.txt is kept."],
] as const) {
  test(`confirm_delete answers ${String(confirm)}`, async () => {
    const ctx = createTestContext(confirmDelete, { answers: { elicit: { sure: { confirm } } } });
    assert.is(await confirmDelete({ filename: "a.txt" }, ctx), answer);
  });
}

test.run();
