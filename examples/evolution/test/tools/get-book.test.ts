import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.js";
import { ToolError } from "../../src/generated/index.js";
import { createTestContext, outputOf } from "../generated/testing.js";
import { getBook } from "../../src/tools/get-book.js";

const ctx = createTestContext({ services: await createServices() });

test("counts the copies on the shelf", async () => {
  const { book, copies } = outputOf(await getBook({ isbn: "9780140447934" }, ctx));
  assert.is(book.title, "War and Peace");
  assert.equal(copies, { owned: 2, onShelf: 2 });
  const lent = outputOf(await getBook({ isbn: "9780199535569" }, ctx));
  assert.equal(lent.copies, { owned: 1, onShelf: 0 }, "a reader has it");
});

test("says which book it does not have", () => {
  assert.throws(
    () => getBook({ isbn: "9790000000000" }, ctx),
    (error: unknown) => error instanceof ToolError && error.message.includes("9790000000000"),
  );
});

test.run();
