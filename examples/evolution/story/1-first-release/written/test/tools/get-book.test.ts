import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.js";
import { ToolError } from "../../src/generated/index.js";
import { createTestContext, outputOf } from "../generated/testing.js";
import { getBook } from "../../src/tools/get-book.js";

const ctx = createTestContext({ services: await createServices() });

test("knows which books are on the shelf", async () => {
  const { book, onShelf } = outputOf(await getBook({ isbn: "9780140447934" }, ctx));
  assert.is(book.title, "War and Peace");
  assert.ok(onShelf);
  const lent = outputOf(await getBook({ isbn: "9780199535569" }, ctx));
  assert.not(lent.onShelf, "its one copy is with a reader");
});

test("says which book it does not have", () => {
  assert.throws(
    () => getBook({ isbn: "9790000000000" }, ctx),
    (error: unknown) => error instanceof ToolError && error.message.includes("9790000000000"),
  );
});

test.run();
