import { test } from "uvu";
import * as assert from "uvu/assert";
import { manifest } from "../../src/resources/manifest.ts";
import { projectRoot } from "../../src/generated/index.ts";
import { createTestContext } from "../generated/testing.ts";

test("the manifest in the folder is read", async () => {
  const context = createTestContext({ directories: projectRoot });
  const { text } = (await manifest("mcpwright://manifest", context)) as { text: string };
  assert.match(text, "name: author");
});

test.run();
