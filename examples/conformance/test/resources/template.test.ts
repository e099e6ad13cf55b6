import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { template } from "../../src/resources/template.ts";

test("template gives the data of the identifier that was asked for", async () => {
  const answer = await template({ id: "a&b é" }, createTestContext());
  assert.is(JSON.parse(String(answer)).id, "a&b é");
});

test.run();
