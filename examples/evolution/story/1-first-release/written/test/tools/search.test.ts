import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServices } from "../../src/context.js";
import { createTestContext, outputOf } from "../generated/testing.js";
import { search } from "../../src/tools/search.js";

const ctx = createTestContext({ services: await createServices() });

async function titles(words: string, limit = 10): Promise<string[]> {
  const { books } = outputOf(await search({ words, limit }, ctx));
  return books.map(({ title }) => title);
}

test("finds words of title and author in any order, and how they begin", async () => {
  assert.equal(await titles("bronte"), ["Jane Eyre", "Wuthering Heights"]);
  assert.equal(await titles("eyr CHAR"), ["Jane Eyre"]);
  assert.equal(await titles("nothing like it"), []);
});

test("gives as many as asked for", async () => {
  assert.equal(await titles("bronte", 1), ["Jane Eyre"]);
});

test.run();
