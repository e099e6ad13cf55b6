import { test } from "uvu";
import * as assert from "uvu/assert";
import { testPromptWithEmbeddedResource } from "../../src/prompts/test-prompt-with-embedded-resource.ts";
import { createTestContext } from "../generated/testing.ts";

test("test_prompt_with_embedded_resource embeds the resource that it is given", async () => {
  const messages = await testPromptWithEmbeddedResource(
    { resourceUri: "test://a" },
    createTestContext(),
  );
  assert.match(JSON.stringify(messages), '"uri":"test://a"');
});

test.run();
